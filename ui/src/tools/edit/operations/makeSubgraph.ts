import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";

export const makeSubgraph = defineOperation({
  name: "makeSubgraph",
  fields: { nodes: vocabulary.nodes, title: vocabulary.title.optional() },
  read: (given) => given,
  *plan(draft, { nodes, title }) {
    const [at, all] = draft.nodesTogether(nodes);
    for (const node of all) draft.drop({ at, node }, "went into a subgraph");
    yield {
      at,
      touches: all.map(({ id }) => identityOf(at, id)),
      apply(editor, live) {
        const inside = all.map(({ id }) => live.ids.of(id));
        live.ids.subgraphs.push(editor.makeSubgraph(inside, title));
        live.isRestructured = true;
      },
    };
  },
});
