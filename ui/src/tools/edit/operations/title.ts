import type { Located } from "../draftGraphs";
import type { LocatedGroup } from "../draftGroups";
import { oneNode } from "../oneNode";
import { defineOperation } from "../operation";
import { alreadySo, identityOf, type Step } from "../step";
import { vocabulary } from "../vocabulary";

export const title = defineOperation({
  name: "title",
  alsoCalled: { rename: {}, setTitle: {} },
  fields: { nodes: vocabulary.nodes, title: vocabulary.title },
  read: ({ nodes, title: wanted }) => ({ node: oneNode(nodes), title: wanted }),
  *plan(draft, { node: reference, title: wanted }) {
    const located = draft.nodeOrGroup(reference);
    if ("group" in located) {
      yield retitleGroup(located, wanted);
      return;
    }
    yield {
      ...alreadySo(
        () => located.node.title === wanted,
        () => `${draft.pathOf(located)} is called ${JSON.stringify(wanted)} already`,
      ),
      ...retitle(located, wanted),
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

function retitleGroup({ at, group, index }: LocatedGroup, title: string): Step {
  const already = alreadySo(
    () => group.title === title,
    () => `group ${JSON.stringify(title)} is called so already`,
  );
  group.title = title;
  return {
    at,
    touches: [],
    apply: (editor) => editor.titleGroup(index, title),
    isLast: true,
    ...already,
  };
}
