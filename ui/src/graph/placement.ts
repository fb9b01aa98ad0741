import type { Point, Size } from "./graph";

export interface Rectangle extends Point, Size {}

const grid = 10;
const gap = 40;

/** Groups have the nodes whose middle lies in them. */
export function isInside(group: Rectangle, node: Rectangle): boolean {
  const x = node.x + node.width / 2;
  const y = node.y + node.height / 2;
  return x >= group.x && x <= group.x + group.width && y >= group.y && y <= group.y + group.height;
}

/**
 * A free place for a new node: beside `anchor`, else in the top left corner of the view.
 *
 * Tries the row to the right of the anchor first, then places below it column by column, all within the view; with
 * no room left in view, the same outside of it. Rectangles are whole nodes, title bar included.
 */
export function freePlace(
  size: Size,
  { occupied, anchor, view }: { occupied: readonly Rectangle[]; anchor?: Rectangle; view?: Rectangle },
): Point {
  const start = anchor
    ? { x: anchor.x + anchor.width + gap, y: anchor.y }
    : { x: (view?.x ?? 0) + gap, y: (view?.y ?? 0) + gap };
  const room = view && firstFree(start, size, occupied, view);
  if (room) return room;
  const topLeft = view && firstFree({ x: view.x + gap, y: view.y + gap }, size, occupied, view);
  return topLeft ?? firstFree(start, size, occupied) ?? snapped(start);
}

function firstFree(
  start: Point,
  size: Size,
  occupied: readonly Rectangle[],
  view?: Rectangle,
): Point | undefined {
  const tops = [
    start.y,
    ...(view ? [view.y + gap] : []),
    ...occupied.map((other) => other.y + other.height + gap),
  ];
  const lefts = [start.x, ...occupied.map((other) => other.x + other.width + gap)].filter(
    (x) => x >= start.x,
  );
  const isInView = (from: number, length: number, viewFrom = from, viewLength = length) =>
    from >= viewFrom && from + length <= viewFrom + viewLength;
  const columns = ascending(lefts).filter((x) => isInView(x, size.width, view?.x, view?.width));
  const rows = nearestFirst(tops, start.y).filter((y) => isInView(y, size.height, view?.y, view?.height));
  for (const x of columns)
    for (const y of rows) {
      const place = { ...snapped({ x, y }), ...size };
      if ((!view || contains(view, place)) && !occupied.some((other) => overlaps(place, other)))
        return { x: place.x, y: place.y };
    }
  return undefined;
}

function snapped({ x, y }: Point): Point {
  return { x: Math.ceil(x / grid) * grid, y: Math.ceil(y / grid) * grid };
}

function ascending(numbers: number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function nearestFirst(numbers: number[], to: number): number[] {
  return [...new Set(numbers)].sort((a, b) => Math.abs(a - to) - Math.abs(b - to) || b - a);
}

function contains(outer: Rectangle, inner: Rectangle): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

function overlaps(a: Rectangle, b: Rectangle): boolean {
  return (
    a.x < b.x + b.width + gap / 2 &&
    b.x < a.x + a.width + gap / 2 &&
    a.y < b.y + b.height + gap / 2 &&
    b.y < a.y + a.height + gap / 2
  );
}
