/** Wires that run back: to a node that begins left of where its source ends. */

import type { Graph, NodeId, Point, Rectangle } from "./graph";
import { outline } from "./placement";

/** What a wire that runs back costs besides, in pixels, and how far back costs its length once more. */
const turn = 200;
const softly = 300;

type IsExcused = (source: Rectangle, target: Rectangle) => boolean;

/** Whether a wire runs back once nodes stand in these boxes, and did not before; between two of them it may be excused. */
export function turnsWireBack(
  graph: Graph,
  moved: ReadonlyMap<NodeId, Rectangle>,
  isExcused: IsExcused = () => false,
): boolean {
  const before = new Map(graph.nodes.map((node) => [node.id, outline(node)]));
  return graph.nodes.some(({ id, inputs }) =>
    inputs.some(({ linkedFrom }) => {
      if (!linkedFrom || (!moved.has(id) && !moved.has(linkedFrom.node))) return false;
      const [source, target] = [before.get(linkedFrom.node), before.get(id)];
      if (!source || !target || runsBack(source, target)) return false;
      const [from, to] = [moved.get(linkedFrom.node), moved.get(id)];
      return runsBack(from ?? source, to ?? target) && !(from && to && isExcused(from, to));
    }),
  );
}

export function runsBack(source: Rectangle, target: Point): boolean {
  return target.x < source.x + source.width;
}

/** Of a place between these: the length of its wires, more for each that runs back, and most for a long way back. */
export function wiresCost(
  box: Rectangle,
  sources: readonly Rectangle[],
  targets: readonly Rectangle[],
): number {
  const wires = [
    ...sources.map((source) => [source, box] as const),
    ...targets.map((target) => [box, target] as const),
  ];
  return wires.reduce((sum, [from, to]) => sum + wireCost(from, to) + (runsBack(from, to) ? turn : 0), 0);
}

/** The length of a wire, more where it runs back: back beside a node is little, across the canvas much. */
export function wireCost(from: Rectangle, to: Rectangle): number {
  const forward = to.x - from.x - from.width;
  const length = Math.abs(forward) + Math.abs(to.y - from.y);
  return length + (forward < 0 ? forward ** 2 / softly : 0);
}
