/** What it costs to move nodes: each of them, how far, and the wires that it turns back. */

import type { Graph, NodeId, Rectangle } from "./graph";
import { boxesOf } from "./placement";
import { wiresTurned } from "./wires";

/** In pixels of a way. */
const eachNode = 300;
/** More for one that nobody has named. */
const eachOther = 1000;
const eachWireBack = 1500;
/** Nobody knows yet where new nodes stand. */
const ofNew = 0.1;

export function moveCost(
  graph: Graph,
  moved: ReadonlyMap<NodeId, Rectangle>,
  isNew: (id: NodeId) => boolean,
  isNamed: (id: NodeId) => boolean,
): number {
  const before = boxesOf(graph.nodes);
  let cost = eachWireBack * [...wiresTurned(graph, moved)].length;
  for (const [id, { x, y }] of moved) {
    const box = before.get(id);
    const way = box ? Math.abs(x - box.x) + Math.abs(y - box.y) : 0;
    if (way > 0) cost += isNew(id) ? ofNew * way : eachNode + way + (isNamed(id) ? 0 : eachOther);
  }
  return cost;
}
