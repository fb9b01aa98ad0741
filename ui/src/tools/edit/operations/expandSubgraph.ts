import { nodeName } from "../../read/references";
import { ToolError } from "../../tool";
import { oneNode } from "../oneNode";
import { defineOperation } from "../operation";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";

export const expandSubgraph = defineOperation({
  name: "expandSubgraph",
  fields: { nodes: vocabulary.nodes },
  read: ({ nodes }) => ({ node: oneNode(nodes) }),
  *plan(draft, { node: reference }) {
    const located = draft.node(reference);
    const { at, node } = located;
    if (!node.subgraph) throw new ToolError(`${nodeName(node)} is no subgraph: there is nothing to expand.`);
    draft.drop(located, "was expanded");
    yield {
      at,
      touches: [identityOf(at, node.id)],
      costs: { act: "expand", nodes: [node] },
      apply(editor, live) {
        editor.expandSubgraph(live.ids.of(node.id));
        live.isRestructured = true;
      },
    };
  },
});
