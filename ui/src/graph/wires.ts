/** Wires that run back: to a node that begins left of where its source ends. */

import type { Graph, NodeId, Rectangle } from "./graph";
import { outline } from "./placement";

/** Whether a wire runs back once nodes stand in these boxes, and did not before. */
export function turnsWireBack(graph: Graph, moved: ReadonlyMap<NodeId, Rectangle>): boolean {
  const before = new Map(graph.nodes.map((node) => [node.id, outline(node)]));
  return graph.nodes.some(({ id, inputs }) =>
    inputs.some(({ linkedFrom }) => {
      if (!linkedFrom || (!moved.has(id) && !moved.has(linkedFrom.node))) return false;
      const [source, target] = [before.get(linkedFrom.node), before.get(id)];
      if (!source || !target || runsBack(source, target)) return false;
      return runsBack(moved.get(linkedFrom.node) ?? source, moved.get(id) ?? target);
    }),
  );
}

export function runsBack(source: Rectangle, target: Rectangle): boolean {
  return target.x < source.x + source.width;
}
