import { findNode } from "../../../graph/graph";
import { nodeName } from "../../read/references";
import { ToolError } from "../../tool";
import type { SlotReference } from "../draft";
import { blankNodeMeant } from "../installedType";
import { linkMeant } from "../linkMeant";
import { oneNode } from "../oneNode";
import { defineOperation, needs } from "../operation";
import { vocabulary } from "../vocabulary";
import { createNode } from "./add";
import { connectSlots } from "./connect";
import { setWidgets, type Values } from "./set";

interface InsertRequest {
  to: SlotReference;
  /** What goes between: a new node of a type, or one that is there. */
  between: { type: string } | { node: string };
  as?: string;
  widgets?: Values;
}

export const insert = defineOperation({
  name: "insert",
  fields: {
    to: vocabulary.to,
    type: vocabulary.type.optional(),
    nodes: vocabulary.nodes.optional(),
    as: vocabulary.as.optional(),
    widgets: vocabulary.widgets.optional(),
  },
  notes: { to: "insert: the input whose link it goes into." },
  read({ type, nodes, ...given }): InsertRequest {
    if (type !== undefined) return { ...given, between: { type } };
    if (!nodes) throw needs("type or nodes");
    return { ...given, between: { node: oneNode(nodes) } };
  },
  *plan(draft, { to, between, as, widgets = {} }) {
    const sink = draft.input(to);
    const { at, node } = sink;
    const { input, linked } = linkMeant(sink);
    const from = input?.slot.linkedFrom;
    if (!input || !from)
      throw new ToolError(
        `There is no link into ${input ? `${input.slot.name} of ` : ""}${nodeName(node)} to insert on.`,
        linked.length > 0
          ? `Its inputs with a link: ${linked.map((each) => each.slot.name).join(", ")}.`
          : "Use connect.",
      );
    const near = findNode(at.graph, from.node) && { near: from.node };
    const middle =
      "node" in between
        ? draft.node(between.node)
        : yield* createNode(draft, at, blankNodeMeant(draft.comfy, between.type), as, { ...near });
    yield* setWidgets(draft, middle, widgets);
    yield connectSlots(draft.outputAt(at, from), { ...middle, slot: undefined });
    yield connectSlots({ ...middle, slot: undefined }, { at, node, slot: input });
  },
});
