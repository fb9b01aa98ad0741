import { broughtTogether } from "../../../graph/together";
import { ToolError } from "../../tool";
import { nodeColor } from "../nodeColor";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";

export const group = defineOperation({
  name: "group",
  alsoCalled: { createGroup: {}, groupNodes: {} },
  fields: {
    nodes: vocabulary.nodes,
    title: vocabulary.title.optional(),
    color: vocabulary.color.optional(),
  },
  read: (given) => given,
  /** Nodes between which others stand are brought together first: a group moves all that lies in it. */
  *plan(draft, { nodes, title = "Group", color: written }) {
    const color = nodeColor(written);
    const [at, all] = draft.nodesTogether(nodes);
    yield {
      at,
      touches: all.map(({ id }) => identityOf(at, id)),
      isLast: true,
      apply(editor, live) {
        const graph = live.graph();
        const members = all.flatMap((node) => draft.holderOf(at, node) ?? []);
        const ids = [...new Set(members.map(({ id }) => live.ids.of(id)))];
        if (ids.length === 0) throw new ToolError(`No node of group "${title}" is left in its graph.`);
        for (const [id, position] of broughtTogether(graph, ids)) editor.moveNode(id, position);
        editor.addGroup(title, ids, color);
      },
    };
  },
});
