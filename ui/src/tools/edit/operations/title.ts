import type { Located } from "../draft";
import { oneNode } from "../oneNode";
import { defineOperation } from "../operation";
import { identityOf, type Step } from "../step";
import { vocabulary } from "../vocabulary";

export const title = defineOperation({
  name: "title",
  alsoCalled: { rename: {}, setTitle: {} },
  fields: { nodes: vocabulary.nodes, title: vocabulary.title },
  read: ({ nodes, title: wanted }) => ({ node: oneNode(nodes), title: wanted }),
  *plan(draft, { node: reference, title: wanted }) {
    const located = draft.node(reference);
    const isSame = located.node.title === wanted;
    yield {
      ...retitle(located, wanted),
      ...(isSame && { already: `${draft.pathOf(located)} is called ${JSON.stringify(wanted)} already` }),
    };
  },
});

export function retitle({ at, node }: Located, title: string): Step {
  node.title = title;
  return {
    at,
    touches: [identityOf(at, node.id)],
    apply: (editor, { ids }) => editor.setTitle(ids.of(node.id), title),
  };
}
