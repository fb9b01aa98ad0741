import { ToolError } from "../../tool";
import type { SlotReference } from "../draft";
import { blankNodeMeant } from "../installedType";
import { oneNode } from "../oneNode";
import { defineOperation, needs } from "../operation";
import { threaded } from "../threading";
import { placeMeant } from "../threadingPlace";
import { vocabulary } from "../vocabulary";
import { createNode, fill } from "./add";
import type { Values } from "./set";
import { retitle } from "./title";

interface NewBetween {
  type: string;
  as?: string;
}

interface InsertRequest {
  /** An input, or an output. */
  to?: SlotReference;
  /** An output; with `to`, that of the link into it. */
  from?: SlotReference;
  /** What goes between: a new node of a type, or one that is there. */
  between: NewBetween | { node: string };
  title?: string;
  widgets?: Values;
  inputs?: Values;
}

export const insert = defineOperation({
  name: "insert",
  fields: {
    to: vocabulary.to.optional(),
    from: vocabulary.from.optional(),
    type: vocabulary.type.optional(),
    nodes: vocabulary.nodes.optional(),
    as: vocabulary.as.optional(),
    title: vocabulary.title.optional(),
    widgets: vocabulary.widgets.optional(),
    inputs: vocabulary.inputs.optional(),
  },
  usual: ["to", "type"],
  notes: { to: "insert: or an output, for all its links; other slot pairs follow." },
  read({ type, nodes, as, ...given }): InsertRequest {
    if (given.to === undefined && given.from === undefined) throw needs("to");
    if (type === undefined && nodes === undefined) throw needs("type or nodes");
    if (type === undefined && as === undefined) return { ...given, between: { node: oneNode(nodes) } };
    if (type === undefined || nodes !== undefined)
      throw new ToolError("It needs type and as for a new node, or nodes for one that is there.");
    return { ...given, between: { type, ...(as !== undefined && { as }) } };
  },
  *plan(draft, { to, from, between, title, widgets = {}, inputs = {} }) {
    const place = placeMeant(draft, to, from);
    const middle =
      "node" in between
        ? draft.node(between.node)
        : yield* createNode(draft, place.at, blankNodeMeant(draft.comfy, between.type), between.as);
    if (title !== undefined) yield retitle(middle, title);
    yield* fill(draft, middle, widgets, inputs);
    yield* threaded(draft, middle, place, Object.keys(inputs));
  },
});
