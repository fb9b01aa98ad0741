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
        const made = live.makeSubgraph(
          editor,
          all.map(({ id }) => id),
          title,
        );
        editor.moveNode(made, outer.position);
        live.ids.set(outer.id, made);
        live.ids.subgraphs.push(made);
        live.noteShown(outer.id);
        live.isRestructured = true;
      },
    };
  },
});
