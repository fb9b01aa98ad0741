import { ToolError } from "../../tool";
import type { Draft } from "../draft";
import type { Located } from "../draftGraphs";
import { takeFrame } from "../emptiedGroups";
import { defineOperation } from "../operation";
import { removedNode } from "../placesTaken";
import { joined, joinsPast } from "../rejoined";
import { identityOf, type Step } from "../step";
import { vocabulary } from "../vocabulary";

export const remove = defineOperation({
  name: "remove",
  alsoCalled: { removeNode: {}, delete: {}, deleteNode: {} },
  fields: { nodes: vocabulary.nodes, rejoin: vocabulary.rejoin.optional() },
  read: (given) => given,
  /** Of a group the frame alone. One after the other: past several in a row, each joins what the one before has joined to it. */
  *plan(draft, { nodes, rejoin = true }) {
    for (const located of draft.nodesOrGroups(nodes)) {
      if ("group" in located) {
        yield takeFrame({ ...located, index: located.at.graph.groups.indexOf(located.group) });
        continue;
      }
      draft.removed.push(removedNode(located));
      if (rejoin) yield* joined(located.at, joinsPast(located));
      yield { ...takeAway(draft, located, "was removed"), costs: { act: "delete", nodes: [located.node] } };
    }
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
