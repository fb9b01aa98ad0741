import { nodeName } from "../../read/references";
import { ToolError } from "../../tool";
import type { SlotReference } from "../draft";
import { blankNodeMeant } from "../installedType";
import { linkMeant } from "../linkMeant";
import { oneNode } from "../oneNode";
import { defineOperation, needs } from "../operation";
import { threaded } from "../threading";
import { vocabulary } from "../vocabulary";
import { createNode, fill } from "./add";
import type { Values } from "./set";
import { retitle } from "./title";

interface NewBetween {
  type: string;
  as?: string;
}

interface InsertRequest {
  to: SlotReference;
  /** What goes between: a new node of a type, or one that is there. */
  between: NewBetween | { node: string };
  title?: string;
  widgets?: Values;
  inputs?: Values;
}

export const insert = defineOperation({
  name: "insert",
  fields: {
    to: vocabulary.to,
    type: vocabulary.type.optional(),
    nodes: vocabulary.nodes.optional(),
    as: vocabulary.as.optional(),
    title: vocabulary.title.optional(),
    widgets: vocabulary.widgets.optional(),
    inputs: vocabulary.inputs.optional(),
  },
  oneOf: ["type", "nodes"],
  notes: { to: "insert: the input whose link it goes into; links of its other slot pairs follow." },
  read({ type, nodes, as, ...given }): InsertRequest {
    if (type === undefined && nodes === undefined) throw needs("type or nodes");
    if (type === undefined && as === undefined) return { ...given, between: { node: oneNode(nodes) } };
    if (type === undefined || nodes !== undefined)
      throw new ToolError("It needs type and as for a new node, or nodes for one that is there.");
    return { ...given, between: { type, ...(as !== undefined && { as }) } };
  },
  *plan(draft, { to, between, title, widgets = {}, inputs = {} }) {
    const sink = draft.input(to);
    const { at, node } = sink;
    const { input, linked } = linkMeant(sink);
    const from = input?.slot.linkedFrom;
    if (!input || !from)
      throw new ToolError(
        `There is no link into ${input ? `${input.slot.name} of ` : ""}${nodeName(node)} to insert on.`,
        linked.length > 0
          ? `Its inputs with a link: ${linked.map((each) => each.slot.name).join(", ")}.`
          : "Use connect; or, where it is fed without a wire, as image<1(via 3), insert at the input of node 3.",
      );
    const middle =
      "node" in between
        ? draft.node(between.node)
        : yield* createNode(draft, at, blankNodeMeant(draft.comfy, between.type), between.as);
    if (title !== undefined) yield retitle(middle, title);
    yield* fill(draft, middle, widgets, inputs);
    yield* threaded(draft, middle, { at, node, slot: input, from }, Object.keys(inputs));
  },
});
