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
  /** Neighbouring columns become one, what feeds a block above it, until all end before this. */
  widest: number;
}

export interface Layout<Block> {
  places: Map<Block, Point>;
  width: number;
  height: number;
  /** What less room between than usual adds to its cost. */
  crowding?: number;
}

export type Sources<Block> = ReadonlyMap<Block, ReadonlySet<Block>>;

interface Column<Block> {
  blocks: Block[];
  x: number;
}

/** How wide rows of blocks without any link become where no width is given. */
const usualWidth = 1200;

/** Blocks without any link come last, in rows of their own below the others. */
export function inColumns<Block extends Box>(
  blocks: readonly Block[],
  sources: Sources<Block>,
  spacing: Spacing,
): Layout<Block> {
  const { columnGap, rowGap, widest } = spacing;
  const targets = targetsOf(sources);
  const isLinked = (block: Block) => (sources.get(block)?.size ?? 0) > 0 || targets.has(block);
  const depths = depthsOf(blocks.filter(isLinked), sources, targets);
  const byDepth = [...Map.groupBy(depths.keys(), (block) => depths.get(block) ?? 0)]
    .sort(([a], [b]) => a - b)
    .map(([, column]) => column);
  const columns = columnsWithin(byDepth, spacing);
  const places = placesIn(columns, { sources, targets, depths, rowGap });
  let height = Math.max(0, ...columns.map((column) => packedHeight(column.blocks, rowGap)));
  let width = Math.max(0, ...columns.map((column) => endOf(column.blocks, column.x)));
  const room = Number.isFinite(widest) ? widest : Math.max(width, usualWidth);
  const loose = blocks.filter((each) => !isLinked(each)).sort((a, b) => a.top - b.top);
  let [left, row, rowHeight] = [0, columns.length === 0 ? 0 : height + rowGap, 0];
  for (const block of loose) {
    if (left > 0 && startOf(block, left) + block.width > Math.min(room, block.to ?? room)) {
      row += rowHeight + rowGap;
      [left, rowHeight] = [0, 0];
    }
    left = startOf(block, left);
    places.set(block, { x: left, y: row });
    rowHeight = Math.max(rowHeight, block.height);
    width = Math.max(width, left + block.width);
    height = Math.max(height, row + rowHeight);
    left += block.width + columnGap;
  }
  return { places, width, height };
}

/** Of neighbours, those become one column first that are the lowest together, of several the last. */
function columnsWithin<Block extends Box>(
  byDepth: readonly Block[][],
  { columnGap, rowGap, widest }: Spacing,
): Column<Block>[] {
  let merged = [...byDepth];
  for (;;) {
    const columns: Column<Block>[] = [];
    let x = 0;
    for (const blocks of merged) {
      columns.push({ blocks, x });
      x = endOf(blocks, x) + columnGap;
    }
    const isPast = ({ blocks, x: left }: Column<Block>) =>
      endOf(blocks, left) > widest ||
      blocks.some((block) => startOf(block, left) + block.width > (block.to ?? Infinity));
    const past = columns.findIndex((column, index) => index > 0 && isPast(column));
    if (past < 0) return columns;
    const heights = merged
      .slice(0, past)
      .map((blocks, index) => packedHeight([...blocks, ...(merged[index + 1] ?? [])], rowGap));
    const first = heights.lastIndexOf(Math.min(...heights));
    merged = merged.flatMap((blocks, index) =>
      index === first ? [[...blocks, ...(merged[index + 1] ?? [])]] : index === first + 1 ? [] : [blocks],
    );
  }
}

interface Surroundings<Block> {
  sources: Sources<Block>;
  targets: Sources<Block>;
  depths: ReadonlyMap<Block, number>;
  rowGap: number;
}

/** Each block beside what feeds it alone, so far as the highest column has room: branches alike become rows. */
function placesIn<Block extends Box>(
  columns: readonly Column<Block>[],
  { sources, targets, depths, rowGap }: Surroundings<Block>,
): Map<Block, Point> {
  const places = new Map<Block, Point>();
  const bottom = Math.max(...columns.map(({ blocks }) => packedHeight(blocks, rowGap)));
  const settle = ({ blocks, x }: Column<Block>, wish: (block: Block) => number) => {
    let y = 0;
    for (const block of blocks) {
      y = Math.max(y, wish(block));
      places.set(block, { x: startOf(block, x), y });
      y += block.height + rowGap;
    }
    let end = bottom;
    for (const block of blocks.toReversed()) {
      const place = places.get(block);
      if (place) place.y = Math.min(place.y, end - block.height);
      end = (place?.y ?? end) - rowGap;
    }
  };
  const yOf = (block: Block | undefined) => (block && places.get(block)?.y) ?? 0;
  const besideSource = (block: Block) => yOf(ownSource(block));
  const besideTarget =
    ({ blocks }: Column<Block>) =>
    (block: Block) => {
      const [only, ...others] = [...(targets.get(block) ?? [])].filter((each) => places.has(each));
      return yOf(others.length === 0 && only && !blocks.includes(only) ? only : block);
    };
  for (const column of columns) {
    column.blocks = inOrder(column.blocks, sources, depths, (block) => places.get(block)?.y);
    settle(column, besideSource);
  }
  for (const column of columns.toReversed()) settle(column, besideTarget(column));
  for (const column of columns)
    settle(column, (block) => (isOnly(ownSource(block)) ? besideSource : yOf)(block));
  return places;

  /** Of those that are placed, the one that feeds the fewest; of several the topmost. */
  function ownSource(block: Block): Block | undefined {
    return [...(sources.get(block) ?? [])]
      .filter((source) => places.has(source))
      .sort((one, other) => fedBy(one) - fedBy(other) || yOf(one) - yOf(other))[0];
  }

  function isOnly(source: Block | undefined): boolean {
    return source !== undefined && fedBy(source) === 1;
  }

  function fedBy(source: Block): number {
    return targets.get(source)?.size ?? 0;
  }
}

/** What feeds others of the column above them, then by what feeds them; those that nothing feeds last, as they stand now. */
function inOrder<Block extends Box>(
  column: readonly Block[],
  sources: Sources<Block>,
  depths: ReadonlyMap<Block, number>,
  yOf: (block: Block) => number | undefined,
): Block[] {
  const wish = (block: Block) => {
    const above = [...(sources.get(block) ?? [])].flatMap((source) => yOf(source) ?? []);
    return above.length === 0 ? Infinity : above.reduce((sum, y) => sum + y, 0) / above.length;
  };
  const depth = (block: Block) => depths.get(block) ?? 0;
  const compare = (a: number, b: number) => (a === b ? 0 : a - b);
  return column.toSorted((a, b) => depth(a) - depth(b) || compare(wish(a), wish(b)) || a.top - b.top);
}

function packedHeight<Block extends Box>(blocks: readonly Block[], rowGap: number): number {
  return blocks.reduce((sum, { height }) => sum + height + rowGap, -rowGap);
}

function endOf<Block extends Box>(blocks: readonly Block[], left: number): number {
  return Math.max(...blocks.map((block) => startOf(block, left) + block.width));
}

function startOf({ from = 0 }: Box, left: number): number {
  return Math.max(left, from);
}

export function targetsOf<Block>(sources: Sources<Block>): Map<Block, Set<Block>> {
  const targets = new Map<Block, Set<Block>>();
  for (const [block, each] of sources)
    for (const source of each) targets.set(source, (targets.get(source) ?? new Set()).add(block));
  return targets;
}

/**
 * The longest way from a block without sources; a way that leads back to where it began does not count. What feeds only
 * blocks further on stands right before them.
 */
function depthsOf<Block>(
  blocks: readonly Block[],
  sources: Sources<Block>,
  targets: Sources<Block>,
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
  for (const [block, depth] of [...depths].sort(([, a], [, b]) => b - a)) {
    const further = [...(targets.get(block) ?? [])].flatMap((target) => depths.get(target) ?? []);
    if (further.length > 0) depths.set(block, Math.max(depth, Math.min(...further) - 1));
  }
  return depths;
}
