/** Columns in a line again: what stands one below the other begins where most of them do. */

import { type BlockPlace, type BlockPlaces, movedBy } from "./blockPlaces";
import type { Block } from "./blocks";
import type { Rectangle } from "./graph";
import { bounds, contains, overlaps } from "./placement";

/** What begins so far from where a column does belongs to it. */
const mostAside = 200;
/** What begins so near counts as in line. */
const sameLine = 20;
const gap = 10;

type Standing = readonly [Block, BlockPlace];

/** Within the frame, and clear of all others; what stands side by side is in columns of its own. */
export function straightened(
  places: BlockPlaces,
  frame: Rectangle,
  obstacles: readonly Rectangle[],
): BlockPlaces {
  const settled = new Map(places);
  for (const column of columnsOf(places)) {
    const line = lineOf(column.map(([, place]) => leftOf(place)));
    for (const [block, place] of column.filter(([, each]) => !isInLine(leftOf(each), line))) {
      const there = movedBy(place, { x: line - leftOf(place), y: 0 });
      const rest = [...settled].flatMap(([each, { boxes }]) => (each === block ? [] : boxes));
      const isFree = there.boxes.every((box) =>
        [...rest, ...obstacles].every((other) => !overlaps(box, other, gap)),
      );
      if (isFree && contains(frame, bounds(there.boxes))) settled.set(block, there);
    }
  }
  return settled;
}

function columnsOf(places: BlockPlaces): Standing[][] {
  const columns: Standing[][] = [];
  for (const each of [...places].sort(([, one], [, other]) => leftOf(one) - leftOf(other))) {
    const column = columns.findLast(([first]) => first && leftOf(each[1]) - leftOf(first[1]) <= mostAside);
    if (column?.every(([, other]) => isOverOrUnder(other, each[1]))) column.push(each);
    else columns.push([each]);
  }
  return columns;
}

/** Where most begin, of several the leftmost. */
function lineOf(lefts: readonly number[]): number {
  const alike = (left: number) => lefts.filter((other) => isInLine(other, left)).length;
  return lefts.reduce((best, left) => (alike(left) > alike(best) ? left : best));
}

function isInLine(left: number, line: number): boolean {
  return Math.abs(left - line) <= sameLine;
}

function isOverOrUnder({ boxes: some }: BlockPlace, { boxes: others }: BlockPlace): boolean {
  const [one, other] = [bounds(some), bounds(others)];
  return one.y + one.height <= other.y || other.y + other.height <= one.y;
}

function leftOf({ boxes }: BlockPlace): number {
  return bounds(boxes).x;
}
