/** Room on a canvas: what nodes and groups take of it. */

import type { GraphNode, NodeId, Point, Rectangle } from "./graph";

export const titleHeight = 30;
/** Nodes grow to about this once they are drawn. */
const leastWidth = 240;
/** Of a collapsed node, until its title is drawn. */
const usualCollapsedWidth = 80;

/** The whole node, title bar included; a collapsed one is its title bar, and does not grow. */
export function outline({ position, size }: Pick<GraphNode, "position" | "size">): Rectangle {
  return {
    x: position.x,
    y: position.y - titleHeight,
    width: size.height === 0 ? size.width : Math.max(size.width, leastWidth),
    height: size.height + titleHeight,
  };
}

/** The same as it is drawn now. */
export function drawn(node: Pick<GraphNode, "position" | "size">): Rectangle {
  return { ...outline(node), width: node.size.width };
}

/** Groups have the nodes whose middle lies in them, title bar included. */
export function isInside(group: Rectangle, node: Rectangle): boolean {
  return isAround(group, middleOf(node));
}

/** A node as a page holds it: its box is that below the title bar, also while it is collapsed. */
export interface HeldNode {
  id: string | number;
  box: Rectangle;
  isCollapsed?: boolean | undefined;
  /** How wide it is drawn then. */
  collapsedWidth?: number | undefined;
  isUntitled?: boolean;
}

/** What ComfyUI draws of a node, and goes by when it tells the nodes of a group. */
export function drawnBox({ box, isCollapsed, collapsedWidth, isUntitled }: HeldNode): Rectangle {
  const { x, y, width, height } = box;
  const title = isUntitled ? 0 : titleHeight;
  if (isCollapsed)
    return { x, y: y - title, width: collapsedWidth || usualCollapsedWidth, height: titleHeight };
  return { x, y: y - title, width, height: height + title };
}

/** Tells the nodes of a group, of many nodes and groups. */
export function membersAmong(nodes: readonly HeldNode[]): (group: Rectangle) => NodeId[] {
  const middles = nodes.map((node) => ({ id: String(node.id), middle: middleOf(drawnBox(node)) }));
  return (group) => middles.filter(({ middle }) => isAround(group, middle)).map(({ id }) => id);
}

function middleOf({ x, y, width, height }: Rectangle): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

function isAround({ x: left, y: top, width, height }: Rectangle, { x, y }: Point): boolean {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/** `apart` is the room that has to be between them. */
export function overlaps(a: Rectangle, b: Rectangle, apart = 0): boolean {
  return (
    a.x < b.x + b.width + apart &&
    b.x < a.x + a.width + apart &&
    a.y < b.y + b.height + apart &&
    b.y < a.y + a.height + apart
  );
}

export function shifted(box: Rectangle, { x, y }: Point): Rectangle {
  return { ...box, x: box.x + x, y: box.y + y };
}

/** Whether one stands under the other, in a column. */
export function isBelow(above: Rectangle, below: Rectangle): boolean {
  const shared = Math.min(above.x + above.width, below.x + below.width) - Math.max(above.x, below.x);
  return below.y >= above.y + above.height && shared > Math.min(above.width, below.width) / 2;
}

export function contains(whole: Rectangle, part: Rectangle): boolean {
  return (
    part.x >= whole.x &&
    part.y >= whole.y &&
    part.x + part.width <= whole.x + whole.width &&
    part.y + part.height <= whole.y + whole.height
  );
}

export function bounds(boxes: readonly Rectangle[]): Rectangle {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/** Of nodes, some of them in other places. */
export function boxesOf(
  nodes: readonly GraphNode[],
  positions: ReadonlyMap<NodeId, Point> = new Map(),
): Map<NodeId, Rectangle> {
  return new Map(
    nodes.map((node) => [node.id, outline({ ...node, position: positions.get(node.id) ?? node.position })]),
  );
}
