/** Nodes of a whole workflow as models and people name them: `5`, and `12:5` inside the subgraph that node 12 shows. */

import type { NodeId, Place } from "./graph";

/** Plain ids are those of the graph at `open`; one of the workflow's own is `/5` while a subgraph is open. */
export function nodePath(place: Place, id: NodeId, open: Place = []): string {
  if (place.join() === open.join()) return id;
  return place.length === 0 ? `/${id}` : [...place, id].join(":");
}
