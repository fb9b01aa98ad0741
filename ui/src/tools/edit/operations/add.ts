import type { NewNode } from "../../../comfy/bridge";
import type { GraphNode, NodeId, Point } from "../../../graph/graph";
import { inputReferred, widgetReferred } from "../../read/references";
import { ToolError } from "../../tool";
import type { Draft, DraftGraph, Located } from "../draft";
import { expectHeard } from "../heard";
import { blankNodeMeant } from "../installedType";
import { defineOperation } from "../operation";
import { identityOf, type Step } from "../step";
import { vocabulary } from "../vocabulary";
import { connectSlots } from "./connect";
import { setWidgets, type Values } from "./set";

interface AddRequest {
  type: string;
  as?: string;
  title?: string;
  widgets?: Values;
  /** Sources by input name. */
  inputs?: Values;
  position?: Point;
  /** The subgraph node in which to add it. */
  inside?: string;
}

export const add = defineOperation({
  name: "add",
  fields: {
    type: vocabulary.type,
    as: vocabulary.as.optional(),
    title: vocabulary.title.optional(),
    widgets: vocabulary.widgets.optional(),
    inputs: vocabulary.inputs.optional(),
    position: vocabulary.position.optional(),
    inside: vocabulary.inside.optional(),
  },
  read: (given): AddRequest => given,
  *plan(draft, { type, as, title, widgets = {}, inputs = {}, position, inside }) {
    const at = inside === undefined ? draft.graphAt() : draft.insideOf(inside);
    const sources = Object.entries(inputs).map(([input, source]) => ({ input, source: String(source) }));
    const [first] = sources;
    const near = first && nearby(draft, at, first.source);
    const node = yield* createNode(draft, at, blankNodeMeant(draft.comfy, type), as, {
      ...(title !== undefined && { title }),
      ...(position && { position }),
      ...(near !== undefined && { near }),
    });
    yield* setWidgets(draft, node, widgets);
    for (const { input, source } of sources)
      yield connectSlots(draft.output(source), { ...node, slot: inputReferred(node.node, input) });
    for (const name of Object.keys(widgets)) expectHeard(draft, node, widgetReferred(node.node, name).name);
  },
});

/** A new node, under `id` where it takes the place of another. */
export function* createNode(
  draft: Draft,
  at: DraftGraph,
  blank: GraphNode,
  name: string | undefined,
  options: NewNode,
): Generator<Step, Located> {
  checkName(draft, name);
  const { id, title, near } = options;
  const located = draft.add(at, blank, {
    ...(name !== undefined && { name }),
    ...(id !== undefined && { id }),
  });
  const { node } = located;
  if (title !== undefined) node.title = title;
  yield {
    at,
    touches: [identityOf(at, node.id)],
    apply(editor, { ids }) {
      const beside = near === undefined ? {} : { near: ids.of(near) };
      ids.set(node.id, editor.addNode(blank.type, { ...options, ...beside }));
    },
  };
  return located;
}

function checkName(draft: Draft, name: string | undefined): void {
  if (name === undefined) return;
  if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name))
    throw new ToolError(
      `"${name}" cannot be a name in a batch.`,
      "Begin with a letter, then letters, digits, _ or -.",
    );
  if (draft.isNamed(name)) throw new ToolError(`Two nodes of this batch are named "${name}".`);
}

function nearby(draft: Draft, at: DraftGraph, source: string): NodeId | undefined {
  const { at: home, node } = draft.output(source);
  return home === at ? node.id : undefined;
}
