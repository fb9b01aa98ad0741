/** Boxes on a canvas, found by where they are: what a place would overlap is asked thousands of times. */

import type { Rectangle } from "./graph";
import { overlaps } from "./placement";

const cell = 500;
/** A box over more cells than these is looked at each time. */
const mostCells = 400;
const columnStep = 2 ** 26;

export class Occupied {
  private readonly cells = new Map<number, Rectangle[]>();
  private readonly large: Rectangle[] = [];

  add(box: Rectangle): void {
    const cells = cellsOf(box, 0);
    if (cells === undefined) this.large.push(box);
    else
      for (const key of cells) {
        const boxes = this.cells.get(key);
        if (boxes) boxes.push(box);
        else this.cells.set(key, [box]);
      }
  }

  /** Whether something is there, or nearer than `apart`. */
  isAt(box: Rectangle, apart: number): boolean {
    const isMet = (other: Rectangle) => overlaps(box, other, apart);
    const cells = cellsOf(box, apart);
    if (cells === undefined) return [...this.cells.values(), this.large].some((boxes) => boxes.some(isMet));
    return cells.some((key) => this.cells.get(key)?.some(isMet)) || this.large.some(isMet);
  }
}

/** Undefined for too many. */
function cellsOf({ x, y, width, height }: Rectangle, apart: number): number[] | undefined {
  const [left, right] = [Math.floor((x - apart) / cell), Math.floor((x + width + apart) / cell)];
  const [top, bottom] = [Math.floor((y - apart) / cell), Math.floor((y + height + apart) / cell)];
  if (!((right - left + 1) * (bottom - top + 1) <= mostCells)) return undefined;
  const cells: number[] = [];
  for (let column = left; column <= right; column++)
    for (let row = top; row <= bottom; row++) cells.push(column * columnStep + row);
  return cells;
}
