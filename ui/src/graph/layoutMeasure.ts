/** How good a layout is, to hold one against another and against what is there. */

import type { Graph, NodeId, Rectangle, Size } from "./graph";
import { drawn } from "./placement";
import { runsBack, wireCost } from "./wires";

export interface LayoutMeasure {
  wiresBack: number;
  /** How long its wires are, more for those that run back, and how much of the canvas it takes. */
  cost: number;
}

/** So much of the canvas costs as much as a pixel of a wire. */
const areaOfPixel = 1000;
/** Laid out anew, everything has to cost so much less than as it is, mended: people know where things are. */
export const worthwhile = 0.7;

export function measureOf(
  graph: Pick<Graph, "nodes">,
  boxes: ReadonlyMap<NodeId, Rectangle>,
  size: Size,
): LayoutMeasure {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  let [wiresBack, cost] = [0, areaCost(size)];
  for (const { id, inputs } of graph.nodes)
    for (const { linkedFrom } of inputs) {
      const [source, target] = [linkedFrom && nodes.get(linkedFrom.node), nodes.get(id)];
      if (!source || !target || !(boxes.has(id) || boxes.has(source.id))) continue;
      const [from, to] = [boxes.get(source.id) ?? drawn(source), boxes.get(id) ?? drawn(target)];
      if (runsBack(from, to)) wiresBack++;
      cost += wireCost({ ...from, width: Math.min(from.width, source.size.width) }, to);
    }
  return { wiresBack, cost };
}

export function areaCost({ width, height }: Size): number {
  return (width * height) / areaOfPixel;
}
