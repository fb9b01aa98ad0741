import type { ShowChanges } from "../chat/chatContext";
import type { Comfy, MarkedNode } from "../comfy/bridge";
import { nameWord } from "../graph/compact/words";
import type { GraphNode, NodeId, Place } from "../graph/graph";
import { nodeOfPath, seenAt } from "../graph/nodePath";

/**
 * Outlines the nodes of an answer on the canvas and moves the view there, in the workflow `key` where that is still
 * open. False where none of them is on the canvas any more.
 */
export function createShowChanges(
  comfy: Pick<Comfy, "workflow" | "tabs" | "openTab" | "openPlace" | "node" | "mark" | "bringIntoView">,
): ShowChanges {
  return async (changes, key) => {
    if (key !== undefined && key !== comfy.workflow().key) {
      if (!comfy.tabs().some((tab) => tab.key === key)) return false;
      await comfy.openTab(key);
    }
    const open = comfy.openPlace();
    const found = (kind: "added" | "changed") =>
      changes.flatMap((change): MarkedNode[] => {
        if (change.kind !== kind) return [];
        const { place, node } = nodeOfPath(change.name, open);
        const there = nodeAt(comfy, place, node);
        // Another workflow may have a node of that id.
        const isIt = there && (there.subgraph || change.what.includes(nameWord(there.type)));
        return isIt ? [{ place, node, inputs: [] }] : [];
      });
    const marks = { added: found("added"), changed: found("changed") };
    const nodes = [...marks.added, ...marks.changed].flatMap(
      ({ place, node }) => seenAt([...place, node], open) ?? [],
    );
    if (nodes.length === 0) return false;
    comfy.mark(undefined, marks);
    comfy.bringIntoView(nodes, { always: true });
    return true;
  };
}

function nodeAt(comfy: Pick<Comfy, "node">, place: Place, node: NodeId): GraphNode | undefined {
  try {
    return comfy.node(node, place);
  } catch {
    return undefined; // its subgraph is gone
  }
}
