/** Blocks laid out in columns from left to right: what feeds one stands left of it. */

import type { Point } from "./graph";

/** A node, or several that keep their places to one another, as one thing to place. */
export interface Box {
  width: number;
  height: number;
  /** Where it stands now. */
  top: number;
  /** Where it may begin and end, right of what feeds it from elsewhere and left of what it feeds there. */
  from?: number;
  to?: number;
}

export interface Spacing {
  columnGap: number;
  rowGap: number;
  /** Columns that would go beyond it begin a new row below. */
  widest: number;
}

export interface Layout<Block> {
  places: Map<Block, Point>;
  width: number;
  height: number;
  rows: number;
}

/** How wide rows of blocks without any link become where no width is given. */
const usualWidth = 1200;

/** Blocks without any link come last, in rows of their own below the others. */
export function inColumns<Block extends Box>(
  blocks: readonly Block[],
  sources: ReadonlyMap<Block, ReadonlySet<Block>>,
  { columnGap, rowGap, widest }: Spacing,
): Layout<Block> {
  const targets = new Set([...sources.values()].flatMap((each) => [...each]));
  const isLinked = (block: Block) => (sources.get(block)?.size ?? 0) > 0 || targets.has(block);
  const depths = depthsOf(blocks.filter(isLinked), sources);
  const places = new Map<Block, Point>();
  const columns = Map.groupBy(depths.keys(), (block) => depths.get(block) ?? 0);
  let [x, top, height, width, rows] = [0, 0, 0, 0, 1];
  for (const [, column] of [...columns].sort(([a], [b]) => a - b)) {
    const endFrom = (left: number) => Math.max(...column.map((block) => startOf(block, left) + block.width));
    const isPast = (left: number) =>
      column.some((block) => startOf(block, left) + block.width > (block.to ?? Infinity));
    if (x > 0 && (endFrom(x) > widest || (isPast(x) && !isPast(0))))
      [x, top, rows] = [0, height + rowGap, rows + 1];
    const wish = (block: Block) => {
      const above = [...(sources.get(block) ?? [])].flatMap((source) => places.get(source)?.y ?? []);
      return above.length === 0 ? block.top : above.reduce((sum, y) => sum + y, 0) / above.length;
    };
    let y = top;
    for (const block of [...column].sort((a, b) => wish(a) - wish(b) || a.top - b.top)) {
      places.set(block, { x: startOf(block, x), y });
      y += block.height + rowGap;
    }
    width = Math.max(width, endFrom(x));
    height = Math.max(height, y - rowGap);
    x = endFrom(x) + columnGap;
  }
  const room = Number.isFinite(widest) ? widest : Math.max(width, usualWidth);
  let [left, row, rowHeight] = [0, places.size === 0 ? 0 : height + rowGap, 0];
  for (const block of blocks.filter((each) => !isLinked(each)).sort((a, b) => a.top - b.top)) {
    if (left > 0 && startOf(block, left) + block.width > Math.min(room, block.to ?? room)) {
      row += rowHeight + rowGap;
      [left, rowHeight, rows] = [0, 0, rows + 1];
    }
    left = startOf(block, left);
    places.set(block, { x: left, y: row });
    rowHeight = Math.max(rowHeight, block.height);
    width = Math.max(width, left + block.width);
    height = Math.max(height, row + rowHeight);
    left += block.width + columnGap;
  }
  return { places, width, height, rows };
}

function startOf({ from = 0 }: Box, left: number): number {
  return Math.max(left, from);
}

/** The longest way from a block without sources; a way that leads back to where it began does not count. */
function depthsOf<Block>(
  blocks: readonly Block[],
  sources: ReadonlyMap<Block, ReadonlySet<Block>>,
): Map<Block, number> {
  const depths = new Map<Block, number>();
  const open = new Set<Block>();
  const depthOf = (block: Block): number => {
    const known = depths.get(block);
    if (known !== undefined) return known;
    if (open.has(block)) return -1;
    open.add(block);
    const depth = 1 + Math.max(-1, ...[...(sources.get(block) ?? [])].map(depthOf));
    open.delete(block);
    depths.set(block, depth);
    return depth;
  };
  for (const block of blocks) depthOf(block);
  return depths;
}
