import { oneNode } from "../oneNode";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";

export const title = defineOperation({
  name: "title",
  fields: { nodes: vocabulary.nodes, title: vocabulary.title },
  read: ({ nodes, title: wanted }) => ({ node: oneNode(nodes), title: wanted }),
  *plan(draft, { node: reference, title: wanted }) {
    const { at, node } = draft.node(reference);
    node.title = wanted;
    yield {
      at,
      touches: [identityOf(at, node.id)],
      apply: (editor, { ids }) => editor.setTitle(ids.of(node.id), wanted),
    };
  },
});
