/** The order in which new nodes get their places. */

import { findNode, type Graph, type NodeId } from "./graph";

/** In an order in which each comes after those that feed it, as far as there is one. */
export function sourcesFirst(graph: Graph, ids: readonly NodeId[]): NodeId[] {
  const among = new Set(ids);
  const ordered = new Set<NodeId>();
  const seen = new Set<NodeId>();
  const visit = (id: NodeId) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const { linkedFrom } of findNode(graph, id)?.inputs ?? [])
      if (linkedFrom && among.has(linkedFrom.node)) visit(linkedFrom.node);
    ordered.add(id);
  };
  for (const id of ids) visit(id);
  return [...ordered];
}

/** Those that links join, together. */
export function parts(graph: Graph, ids: readonly NodeId[]): NodeId[][] {
  const links = ids.flatMap((to) =>
    (findNode(graph, to)?.inputs ?? []).flatMap(({ linkedFrom }) =>
      linkedFrom ? [{ from: linkedFrom.node, to }] : [],
    ),
  );
  return partsJoinedBy(links, ids);
}

/** Those that these links join, together. */
export function partsJoinedBy(
  links: readonly { from: NodeId; to: NodeId }[],
  ids: Iterable<NodeId>,
): NodeId[][] {
  const partOf = new Map([...ids].map((id) => [id, [id]]));
  for (const { from, to } of links) {
    const [one, other] = [partOf.get(to), partOf.get(from)];
    if (!one || !other || one === other) continue;
    one.push(...other);
    for (const each of other) partOf.set(each, one);
  }
  return [...new Set(partOf.values())];
}
