/** Room on a canvas: what nodes and groups take of it. */

import type { GraphNode, Rectangle } from "./graph";

export const titleHeight = 30;
/** Nodes grow to about this once they are drawn. */
const leastWidth = 240;

/** The whole node, title bar included. */
export function outline({ position, size }: Pick<GraphNode, "position" | "size">): Rectangle {
  return {
    x: position.x,
    y: position.y - titleHeight,
    width: Math.max(size.width, leastWidth),
    height: size.height + titleHeight,
  };
}

/** Groups have the nodes whose middle lies in them. */
export function isInside(group: Rectangle, node: Rectangle): boolean {
  const x = node.x + node.width / 2;
  const y = node.y + node.height / 2;
  return x >= group.x && x <= group.x + group.width && y >= group.y && y <= group.y + group.height;
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
