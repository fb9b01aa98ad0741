/** What it costs to move nodes: each of them, how far, and the wires that come to run back. */

import type { Graph, GraphNode, NodeId, Rectangle } from "./graph";
import { boxesOf } from "./placement";

export interface Movers {
  isNew(id: NodeId): boolean;
  /** Whether somebody has named it, so that it may move sooner than others. */
  isNamed(id: NodeId): boolean;
}

/** In pixels; a nudge costs less. */
const eachNamed = 400;
const eachOther = 700;
const nudge = 100;
/** Of the way itself. */
const wayOfNamed = 0.4;
const wayOfOther = 1;
/** Nobody knows yet where new nodes stand. */
const wayOfNew = 0.1;
/** Of the length by which a wire comes to run back, and of that by which it becomes longer. */
const wireBack = 0.8;
const wireLonger = 0.15;
/** More for each of those that come from what is fed itself: that is read from left to right. */
const turn = 600;

export function moveCost(graph: Graph, moved: ReadonlyMap<NodeId, Rectangle>, movers: Movers): number {
  const before = boxesOf(graph.nodes);
  let cost = costOfWires(graph, before, moved);
  for (const [id, { x, y }] of moved) {
    const box = before.get(id);
    const way = box ? Math.abs(x - box.x) + Math.abs(y - box.y) : 0;
    if (movers.isNew(id)) cost += wayOfNew * way;
    else if (movers.isNamed(id)) cost += eachNamed * Math.min(1, way / nudge) + wayOfNamed * way;
    else cost += eachOther * Math.min(1, way / nudge) + wayOfOther * way;
  }
  return cost;
}

/** Of wires that become longer or come to run back. */
function costOfWires(
  graph: Graph,
  before: ReadonlyMap<NodeId, Rectangle>,
  moved: ReadonlyMap<NodeId, Rectangle>,
): number {
  const after = new Map([...before, ...moved]);
  let cost = 0;
  for (const { id, inputs } of graph.nodes)
    for (const { linkedFrom } of inputs) {
      if (!linkedFrom || (!moved.has(id) && !moved.has(linkedFrom.node))) continue;
      const [source, target] = [linkedFrom.node, id];
      const was = wireBetween(graph, before, source, target);
      const is = wireBetween(graph, after, source, target);
      if (!was || !is) continue;
      cost += wireBack * Math.max(0, is.back - was.back) + wireLonger * (is.length - was.length);
      if (is.isFed && is.back > 0 && was.back === 0) cost += turn;
    }
  return cost;
}

/** Of a wire between nodes that stand in these boxes. */
export function wireCost(
  graph: Graph,
  boxes: ReadonlyMap<NodeId, Rectangle>,
  source: NodeId,
  target: NodeId,
): number {
  const wire = wireBetween(graph, boxes, source, target);
  if (!wire) return 0;
  return wireBack * wire.back + wireLonger * wire.length + (wire.isFed && wire.back > 0 ? turn : 0);
}

interface Wire {
  back: number;
  length: number;
  /** Whether its source is fed itself. */
  isFed: boolean;
}

/**
 * What nothing feeds may stand under what it feeds; all else is read downwards, but for what comes from below: its way
 * goes up anyway.
 */
function wireBetween(
  { nodes }: Graph,
  boxes: ReadonlyMap<NodeId, Rectangle>,
  from: NodeId,
  to: NodeId,
): Wire | undefined {
  const [source, target] = [boxes.get(from), boxes.get(to)];
  if (!source || !target) return undefined;
  const feeding = feedersOf(nodes, from);
  const isFed = feeding.length > 0;
  const across = target.x - source.x - source.width;
  // Where what feeds it comes from something as well: loaders may stand anywhere.
  const heights = feeding.flatMap((id) => (feedersOf(nodes, id).length > 0 ? (boxes.get(id)?.y ?? []) : []));
  const height = heights.reduce((sum, y) => sum + y / heights.length, 0);
  const climb =
    across < 0 && isFed
      ? Math.max(0, source.y - (heights.length > 0 ? Math.max(target.y, height) : target.y))
      : 0;
  return {
    back: Math.max(0, -across) + climb,
    length: Math.abs(across) + Math.abs(target.y - source.y),
    isFed,
  };
}

function feedersOf(nodes: readonly GraphNode[], id: NodeId): NodeId[] {
  return nodes.flatMap((node) =>
    node.id === id ? node.inputs.flatMap(({ linkedFrom }) => linkedFrom?.node ?? []) : [],
  );
}
