import { nodeColor } from "../nodeColor";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";

export const group = defineOperation({
  name: "group",
  fields: {
    nodes: vocabulary.nodes,
    title: vocabulary.title.optional(),
    color: vocabulary.color.optional(),
  },
  read: (given) => given,
  *plan(draft, { nodes, title = "Group", color: written }) {
    const color = nodeColor(written);
    const [at, all] = draft.nodesTogether(nodes);
    yield {
      at,
      touches: all.map(({ id }) => identityOf(at, id)),
      apply: (editor, { ids }) =>
        editor.addGroup(
          title,
          all.map(({ id }) => ids.of(id)),
          color,
        ),
    };
  },
});
