/** Ways through the new nodes of a graph. */

import type { Graph, GraphNode, NodeId } from "./graph";

/** These and what feeds the new ones among them, through new ones. */
export function metBackwards(
  graph: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  ids: readonly NodeId[],
): ReadonlySet<NodeId> {
  const met = new Set<NodeId>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (met.has(id)) continue;
    met.add(id);
    const node = added.has(id) ? graph.nodes.find((each) => each.id === id) : undefined;
    if (node) open.push(...sourcesOf(node));
  }
  return met;
}

export function sourcesOf(node: GraphNode | undefined): NodeId[] {
  return [...new Set((node?.inputs ?? []).flatMap(({ linkedFrom }) => linkedFrom?.node ?? []))];
}

/** All that it leads to; the edge of a subgraph among them. */
export function fedBy(graph: Graph, id: NodeId): ReadonlySet<NodeId> {
  const met = new Set<NodeId>();
  const open = [id];
  for (let each = open.pop(); each !== undefined; each = open.pop())
    for (const { linkedTo } of graph.nodes.find((node) => node.id === each)?.outputs ?? [])
      for (const { node } of linkedTo)
        if (!met.has(node)) {
          met.add(node);
          open.push(node);
        }
  return met;
}
