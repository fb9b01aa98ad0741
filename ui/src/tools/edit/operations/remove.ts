import { ToolError } from "../../tool";
import type { Draft } from "../draft";
import type { Located } from "../draftGraphs";
import { defineOperation } from "../operation";
import { identityOf, type Step } from "../step";
import { vocabulary } from "../vocabulary";

export const remove = defineOperation({
  name: "remove",
  alsoCalled: { removeNode: {}, delete: {}, deleteNode: {} },
  fields: { nodes: vocabulary.nodes },
  read: (given) => given,
  *plan(draft, { nodes }) {
    for (const located of draft.nodes(nodes))
      yield { ...takeAway(draft, located, "was removed"), costs: { act: "delete", nodes: [located.node] } };
  },
});

/** `reason` completes "Node 7 …". */
export function takeAway(draft: Draft, located: Located, reason: string): Step {
  const { at, node } = located;
  draft.drop(located, reason);
  return {
    at,
    touches: [identityOf(at, node.id)],
    apply(editor, live) {
      editor.removeNode(live.ids.of(node.id));
      const kept = live.node(node.id);
      if (kept) throw new ToolError(`ComfyUI kept node ${kept.id}: it cannot be removed.`);
    },
  };
}
