import { findNode, type Graph, type NodeId } from "./graph";

/** Whether a link from `source` into `target` would close a circle: something of `target` already reaches `source`. */
export function closesLoop(graph: Graph, source: NodeId, target: NodeId): boolean {
  const upstream = new Set([source]);
  for (const id of upstream) {
    const node = findNode(graph, id);
    for (const { linkedFrom } of node?.inputs ?? []) if (linkedFrom) upstream.add(linkedFrom.node);
    for (const followed of node?.follows ?? []) upstream.add(followed);
  }
  return upstream.has(target);
}
