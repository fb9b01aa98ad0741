import { findNode, type GraphNode } from "../../../graph/graph";
import { placeOfContents } from "../../../graph/placeInstance";
import { few } from "../../../shared/few";
import { nodeName } from "../../read/references";
import { ToolError } from "../../tool";
import type { Draft } from "../draft";
import type { Located } from "../draftGraphs";
import { oneNode } from "../oneNode";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";

/** So many types that are not installed are named. */
const most = 8;

export const expandSubgraph = defineOperation({
  name: "expandSubgraph",
  fields: { nodes: vocabulary.nodes },
  read: ({ nodes }) => ({ node: oneNode(nodes) }),
  *plan(draft, { node: reference }) {
    const located = draft.node(reference);
    const { at, node } = located;
    if (!node.subgraph) throw new ToolError(`${nodeName(node)} is no subgraph: there is nothing to expand.`);
    expectAllInstalled(draft, located);
    draft.drop(located, "was expanded");
    // What comes out of it lies in its groups: these are not emptied.
    for (const group of at.graph.groups) group.nodes = group.nodes.filter((id) => id !== node.id);
    yield {
      at,
      touches: [identityOf(at, node.id)],
      costs: { act: "expand", nodes: [node] },
      apply(editor, live) {
        const id = live.ids.of(node.id);
        const before = live.graph();
        const { by, positions, frames } = placeOfContents(
          before,
          findNode(before, id) ?? node,
          live.inside(node.id),
        );
        if (!editor.expandSubgraph(id, by)) throw notExpanded(node);
        live.isRestructured = true;
        live.ids.expanded.add(id);
        for (const [other, position] of positions) editor.moveNode(other, position);
        for (const [index, frame] of frames) editor.placeGroup(index, frame);
      },
    };
  },
});

/** ComfyUI's page does nothing then, or leaves these nodes out, whichever it is. */
function expectAllInstalled(draft: Draft, { at, node }: Located): void {
  const inside = draft.graphAt([...at.place, node.id]);
  const absent = Map.groupBy(
    inside.graph.nodes.filter(({ isInstalled }) => !isInstalled),
    ({ type }) => type,
  );
  if (absent.size === 0) return;
  const types = [...absent].map(
    ([type, nodes]) =>
      `${type} (${nodes.map((each: GraphNode) => draft.pathOf({ at: inside, node: each })).join(", ")})`,
  );
  throw new ToolError(
    `${nodeName(node)} cannot be expanded while nodes inside have types that are not installed: ${few(types, most)}.`,
    "Install what has these types, or remove these nodes inside it first.",
  );
}

function notExpanded(node: GraphNode): ToolError {
  return new ToolError(
    `ComfyUI did not expand ${nodeName(node)}; nothing was changed.`,
    "Edit the nodes inside it by their paths instead.",
  );
}
