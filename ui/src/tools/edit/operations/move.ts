import type { Point } from "../../../graph/graph";
import type { Located } from "../draftGraphs";
import type { LocatedGroup } from "../draftGroups";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";

export const move = defineOperation({
  name: "move",
  fields: { nodes: vocabulary.nodes, position: vocabulary.position },
  read: (given): { nodes: readonly string[]; position: Point } => given,
  /** The upper left corner of all goes there, of a group that of its frame. */
  *plan(draft, { nodes, position }) {
    const [at, all] = draft.nodesAndGroupsTogether(nodes);
    const named = draft.nodesOrGroups(nodes);
    const corner = cornerOf(named);
    const [only, ...others] = named;
    const group = only && "group" in only && others.length === 0 ? only.group : undefined;
    draft.asked.push({ at, nodes: all, group });
    for (const node of all) {
      if (!draft.placed.has(node)) draft.placed.set(node, node.position);
      node.position = {
        x: position.x + node.position.x - corner.x,
        y: position.y + node.position.y - corner.y,
      };
      draft.unplaced.delete(node);
      draft.beside.delete(node);
      yield {
        at,
        touches: [identityOf(at, node.id)],
        apply: (editor, { ids }) => editor.moveNode(ids.of(node.id), node.position),
      };
    }
  },
});

function cornerOf(named: readonly (Located | LocatedGroup)[]): Point {
  const corners = named.flatMap((each) => {
    if (!("group" in each)) return [each.node.position];
    const { group, at } = each;
    return (
      group.bounds ??
      at.graph.nodes.filter(({ id }) => group.nodes.includes(id)).map(({ position }) => position)
    );
  });
  return { x: Math.min(...corners.map(({ x }) => x)), y: Math.min(...corners.map(({ y }) => y)) };
}
