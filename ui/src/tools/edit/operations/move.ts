import type { Point } from "../../../graph/graph";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";

export const move = defineOperation({
  name: "move",
  fields: { nodes: vocabulary.nodes, position: vocabulary.position },
  read: (given): { nodes: readonly string[]; position: Point } => given,
  /** The first node goes there, the others as far as it does. */
  *plan(draft, { nodes, position }) {
    const [at, all] = draft.nodesTogether(nodes);
    const first = all[0].position;
    draft.asked.push({ at, nodes: all });
    for (const node of all) {
      if (!draft.placed.has(node)) draft.placed.set(node, node.position);
      node.position = {
        x: position.x + node.position.x - first.x,
        y: position.y + node.position.y - first.y,
      };
      draft.unplaced.delete(node);
      yield {
        at,
        touches: [identityOf(at, node.id)],
        apply: (editor, { ids }) => editor.moveNode(ids.of(node.id), node.position),
      };
    }
  },
});
