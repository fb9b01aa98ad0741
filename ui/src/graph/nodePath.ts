/** Nodes of a whole workflow as models and people name them: `5`, and `12:5` inside the subgraph that node 12 shows. */

import type { NodeId, Place } from "./graph";

/** Plain ids are those of the graph at `open`; one of the workflow's own is `/5` while a subgraph is open. */
export function nodePath(place: Place, id: NodeId, open: Place = []): string {
  if (place.join() === open.join()) return id;
  return place.length === 0 ? `/${id}` : [...place, id].join(":");
}

/** The inverse: where the node of a path lies that was written while the graph at `open` was open. */
export function nodeOfPath(path: string, open: Place): { place: Place; node: NodeId } {
  if (path.startsWith("/")) return { place: [], node: path.slice(1) };
  const ids = path.split(":");
  const node = ids.pop() ?? "";
  return { place: ids.length === 0 ? open : ids, node };
}

/** By its id in the graph at `open`: the node itself, or the one that shows its subgraph there; undefined elsewhere. */
export function seenAt(ids: readonly NodeId[], open: Place): NodeId | undefined {
  return open.every((id, depth) => ids[depth] === id) ? ids[open.length] : undefined;
}
