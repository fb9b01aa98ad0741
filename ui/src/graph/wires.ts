/** Wires that run back: to a node that begins left of where its source ends. */

import type { Graph, NodeId, Point, Rectangle } from "./graph";
import { outline } from "./placement";

/** Whether a wire runs back once nodes stand in these boxes, and did not before; between two of them it may be excused. */
export function turnsWireBack(
  graph: Graph,
  moved: ReadonlyMap<NodeId, Rectangle>,
  isExcused: (source: Rectangle, target: Rectangle) => boolean = () => false,
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
