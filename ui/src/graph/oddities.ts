/** What of a layout a person may take for disorder. */

import type { Graph, GraphNode, NodeId } from "./graph";
import { drawn, overlaps } from "./placement";

export interface Oddities {
  /** Wires that run back, the furthest first, but for those to what stands in the same column below. */
  back: { from: NodeId; to: NodeId; by: number }[];
  /** Nodes that lie on another. */
  heaped: [NodeId, NodeId][];
}

/** Of the wires that join these nodes, and of what lies on them. */
export function odditiesOf(graph: Graph, nodes: readonly GraphNode[]): Oddities {
  const boxes = new Map(graph.nodes.map((node) => [node.id, drawn(node)]));
  const own = new Set(nodes.map(({ id }) => id));
  const back = nodes.flatMap(({ id, inputs }) =>
    inputs.flatMap(({ linkedFrom }) => {
      const [from, to] = [linkedFrom && boxes.get(linkedFrom.node), boxes.get(id)];
      if (!from || !to || !linkedFrom || !own.has(linkedFrom.node)) return [];
      const by = Math.round(from.x + from.width - to.x);
      const isBelow = to.y >= from.y + from.height && to.x + to.width > from.x;
      return by > 0 && !isBelow ? [{ from: linkedFrom.node, to: id, by }] : [];
    }),
  );
  const heaped = nodes.flatMap(({ id }, index) =>
    nodes.slice(index + 1).flatMap((other): [NodeId, NodeId][] => {
      const [one, two] = [boxes.get(id), boxes.get(other.id)];
      return one && two && overlaps(one, two) ? [[other.id, id]] : [];
    }),
  );
  return { back: back.sort((one, other) => other.by - one.by), heaped };
}
