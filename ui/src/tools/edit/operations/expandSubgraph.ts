import type { GraphEditor } from "../../../comfy/bridge";
import { distanceWords } from "../../../graph/distanceWords";
import type { Graph, NodeId, Point } from "../../../graph/graph";
import { settled } from "../../../graph/placeInstance";
import { nodeName, typeWord } from "../../read/references";
import { ToolError } from "../../tool";
import { oneNode } from "../oneNode";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";

/** So far nodes may go without a word. */
const near = 300;

export const expandSubgraph = defineOperation({
  name: "expandSubgraph",
  fields: { nodes: vocabulary.nodes },
  read: ({ nodes }) => ({ node: oneNode(nodes) }),
  *plan(draft, { node: reference }) {
    const located = draft.node(reference);
    const { at, node } = located;
    if (!node.subgraph) throw new ToolError(`${nodeName(node)} is no subgraph: there is nothing to expand.`);
    draft.drop(located, "was expanded");
    yield {
      at,
      touches: [identityOf(at, node.id)],
      costs: { act: "expand", nodes: [node] },
      apply(editor, live) {
        const before = live.graph();
        const id = live.ids.of(node.id);
        editor.expandSubgraph(id);
        live.isRestructured = true;
        const by = settle(editor, before, live.graph(), id);
        if (Math.abs(by.x) + Math.abs(by.y) > near)
          live.ids.moved.push(`what was in ${draft.pathOf(located)} ${typeWord(node)} ${distanceWords(by)}`);
      },
    };
  },
});

/** What came out of it lies on nothing else: returns how far it went. */
function settle(editor: GraphEditor, before: Graph, after: Graph, id: NodeId): Point {
  const known = new Set(before.nodes.map((node) => node.id));
  const added = new Set(after.nodes.flatMap((node) => (known.has(node.id) ? [] : [node.id])));
  const homes = after.groups.filter((_, index) => before.groups[index]?.nodes.includes(id));
  const place =
    added.size > 0 ? settled(after, added, after.groups.slice(before.groups.length), homes) : undefined;
  for (const [node, position] of place?.positions ?? []) editor.moveNode(node, position);
  for (const [index, frame] of place?.frames ?? []) editor.placeGroup(index, frame);
  return place?.by ?? { x: 0, y: 0 };
}
