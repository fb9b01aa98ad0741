import { findNode, type Graph, type NodeId, type Point } from "../../../graph/graph";
import { placeOfInstance } from "../../../graph/placeInstance";
import { expectNoGap } from "../gaps";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";
import { checkName } from "./add";

export const makeSubgraph = defineOperation({
  name: "makeSubgraph",
  alsoCalled: { createSubgraph: {} },
  fields: { nodes: vocabulary.nodes, title: vocabulary.title.optional(), as: vocabulary.as.optional() },
  read: (given) => given,
  *plan(draft, { nodes, title, as: name }) {
    checkName(draft, name);
    const [at, all] = draft.nodesAndGroupsTogether(nodes);
    for (const node of all)
      expectNoGap(draft, { at, node }, "Make the subgraph in a call of its own, after this one.");
    const { node: outer } = draft.pack(at, all, {
      title: title ?? "New Subgraph",
      ...(name !== undefined && { name }),
    });
    yield {
      at,
      touches: all.map(({ id }) => identityOf(at, id)),
      costs: { act: "wrap", nodes: all },
      apply(editor, live) {
        const ids = all.map(({ id }) => id);
        const before = live.graph();
        const made = live.makeSubgraph(editor, ids, title);
        const isHome = (index: number) =>
          ids.some((id) => before.groups[index]?.nodes.includes(live.ids.of(id)));
        editor.moveNode(made, placeAsMade(live.graph(), made, outer.position, isHome));
        live.ids.set(outer.id, made);
        live.ids.subgraphs.push(made);
        live.noteShown(outer.id);
        live.isRestructured = true;
      },
    };
  },
});

/** The page's node may be larger than the draft's: where it would lie on something, it goes on. */
function placeAsMade(graph: Graph, id: NodeId, position: Point, isHome: (index: number) => boolean): Point {
  const made = findNode(graph, id);
  const homes = graph.groups.filter((_, index) => isHome(index));
  return made ? placeOfInstance(graph, { ...made, position }, homes) : position;
}
