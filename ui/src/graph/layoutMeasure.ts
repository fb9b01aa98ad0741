/** How good a layout is, to hold one against another and against what is there. */

import type { Graph, NodeId, Rectangle, Size } from "./graph";
import { drawn } from "./placement";
import { runsBack } from "./wires";

export interface LayoutMeasure extends Size {
  wires: number;
  wiresBack: number;
  /** How far these run back, all together. */
  wayBack: number;
  /** Whether something lies on another. */
  isHeap: boolean;
}

/** How much wider, higher and larger in all a layout may be than what it takes the place of. */
const most = 1.25;
/** What a wire that runs back weighs, of all: as if the layout were so much larger. */
const weightOfWires = 0.5;
/** What has room on it as it is need not be smaller. */
const screen = { width: 1600, height: 1000 };
/** Being in order is worth a bit more room; being smaller than this, that wires run back between rows. */
const orderly = 1.15;
const smaller = 0.8;

export function measureOf(
  graph: Graph,
  boxes: ReadonlyMap<NodeId, Rectangle>,
  { width, height }: Size,
  isHeap = false,
): LayoutMeasure {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  let [wires, wiresBack, wayBack] = [0, 0, 0];
  for (const { id, inputs } of graph.nodes)
    for (const { linkedFrom } of inputs) {
      const [source, target] = [linkedFrom && nodes.get(linkedFrom.node), nodes.get(id)];
      if (!source || !target || !(boxes.has(id) || boxes.has(source.id))) continue;
      wires++;
      const [from, to] = [boxes.get(source.id) ?? drawn(source), boxes.get(id) ?? drawn(target)];
      if (runsBack(from, to)) wiresBack++;
      wayBack += Math.max(0, from.x + Math.min(from.width, source.size.width) - to.x);
    }
  return { width, height, wires, wiresBack, wayBack, isHeap };
}

/** Whether it may take the place of the present one: no more wires run back, nor further, and it is about as large. */
export function isAsGood(layout: LayoutMeasure, present: LayoutMeasure): boolean {
  const [across, down] = [layout.width / present.width, layout.height / present.height];
  const isAsStraight = layout.wiresBack <= present.wiresBack && layout.wayBack <= present.wayBack;
  return isAsStraight && across <= most && down <= most && across * down <= most;
}

/** The smaller, the larger it can be shown on a screen as a whole, and the fewer of its wires run back. */
export function costOnScreen({ width, height, wires, wiresBack }: LayoutMeasure): number {
  const scale = Math.max(width / screen.width, height / screen.height, 1);
  return scale * (1 + (weightOfWires * wiresBack) / Math.max(wires, 1));
}

/** The same for all nodes together: the longer side does not grow. */
export function isAsGoodOnScreen(layout: LayoutMeasure, present: LayoutMeasure): boolean {
  const side = ({ width, height }: Size) => Math.max(width, height);
  const growth = costOnScreen(layout) / costOnScreen(present);
  return (
    side(layout) <= side(present) &&
    (growth <= smaller || (growth <= orderly && layout.wiresBack <= present.wiresBack))
  );
}
