/** What it costs to move nodes: each of them, how far, and the wires that come to run back. */

import type { Graph, NodeId, Rectangle } from "./graph";
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
  let cost = 0;
  for (const { id, inputs } of graph.nodes)
    for (const { linkedFrom } of inputs) {
      if (!linkedFrom || (!moved.has(id) && !moved.has(linkedFrom.node))) continue;
      const [source, target] = [before.get(linkedFrom.node), before.get(id)];
      if (!source || !target) continue;
      const isFed = isFedIn(graph, linkedFrom.node);
      const was = wireBetween(source, target, isFed);
      const is = wireBetween(moved.get(linkedFrom.node) ?? source, moved.get(id) ?? target, isFed);
      cost += wireBack * Math.max(0, is.back - was.back) + wireLonger * (is.length - was.length);
      if (isFed && is.back > 0 && was.back === 0) cost += turn;
    }
  return cost;
}

/** Of a wire as it lies. */
export function wireCost(source: Rectangle, target: Rectangle, isFed: boolean): number {
  const { back, length } = wireBetween(source, target, isFed);
  return wireBack * back + wireLonger * length + (isFed && back > 0 ? turn : 0);
}

export function isFedIn(graph: Graph, source: NodeId): boolean {
  return graph.nodes.some(({ id, inputs }) => id === source && inputs.some(({ linkedFrom }) => linkedFrom));
}

/** What nothing feeds may stand under what it feeds; all else is read downwards. */
function wireBetween(source: Rectangle, target: Rectangle, isFed: boolean): { back: number; length: number } {
  const across = target.x - source.x - source.width;
  const climb = across < 0 && isFed ? Math.max(0, source.y - target.y) : 0;
  return { back: Math.max(0, -across) + climb, length: Math.abs(across) + Math.abs(target.y - source.y) };
}
