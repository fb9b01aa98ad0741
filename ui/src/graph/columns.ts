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
  /** Those that feed nothing go beyond it so far, right of what feeds them. */
  widestOfEnds?: number;
}

export interface Layout<Block> {
  places: Map<Block, Point>;
  width: number;
  height: number;
  rows: number;
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
  const columns = [...Map.groupBy(depths.keys(), (block) => depths.get(block) ?? 0)]
    .sort(([a], [b]) => a - b)
    .map(([, column]) => column);
  const places = new Map<Block, Point>();
  let [height, width, rows] = [0, 0, 0];
  for (const row of rowsOf(columns, spacing, (block) => !targets.has(block))) {
    const top = rows > 0 ? height + rowGap : 0;
    for (const [block, place] of inRow(row, { sources, targets, placed: places, top, rowGap }))
      places.set(block, place);
    height = top + Math.max(...row.map((column) => packedHeight(column.blocks, rowGap)));
    width = Math.max(width, ...row.map((column) => endOf(column.blocks, column.x)));
    rows++;
  }
  const room = Number.isFinite(widest) ? widest : Math.max(width, usualWidth);
  const loose = blocks.filter((each) => !isLinked(each)).sort((a, b) => a.top - b.top);
  let [left, row, rowHeight] = [0, rows === 0 ? 0 : height + rowGap, 0];
  for (const block of loose) {
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
  return { places, width, height, rows: Math.max(rows, 1) };
}

/** A column that would end too far right begins a new row, but for its ends where they may stay. */
function rowsOf<Block extends Box>(
  columns: readonly Block[][],
  { columnGap, widest, widestOfEnds = widest }: Spacing,
  isEnd: (block: Block) => boolean,
): Column<Block>[][] {
  const rows: Column<Block>[][] = [];
  let x = 0;
  const add = (blocks: Block[]) => {
    if (blocks.length === 0) return;
    if (x === 0) rows.push([]);
    rows.at(-1)?.push({ blocks, x });
    x = endOf(blocks, x) + columnGap;
  };
  for (const blocks of columns) {
    const isPast = (some: readonly Block[], left: number) =>
      some.some((block) => startOf(block, left) + block.width > (block.to ?? Infinity));
    const isTooFar = x > 0 && (endOf(blocks, x) > widest || (isPast(blocks, x) && !isPast(blocks, 0)));
    const ends = isTooFar ? blocks.filter(isEnd) : [];
    const kept = endOf(ends, x) <= widestOfEnds && !isPast(ends, x) ? ends : [];
    add(kept);
    const others = blocks.filter((block) => !kept.includes(block));
    if (isTooFar && others.length > 0) x = 0;
    add(others);
  }
  return rows;
}

interface Surroundings<Block> {
  sources: Sources<Block>;
  targets: Sources<Block>;
  /** In the rows above. */
  placed: ReadonlyMap<Block, Point>;
  top: number;
  rowGap: number;
}

/** Each block beside what feeds it alone, so far as the highest column has room: branches alike become rows. */
function inRow<Block extends Box>(
  row: readonly Column<Block>[],
  { sources, targets, placed, top, rowGap }: Surroundings<Block>,
): Map<Block, Point> {
  const places = new Map<Block, Point>();
  const bottom = top + Math.max(...row.map(({ blocks }) => packedHeight(blocks, rowGap)));
  const settle = ({ blocks, x }: Column<Block>, wish: (block: Block) => number) => {
    let y = top;
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
  const yOf = (block: Block | undefined) => (block && places.get(block)?.y) ?? top;
  const besideSource = (block: Block) => yOf(ownSource(block));
  const besideTarget = (block: Block) => {
    const [only, ...others] = [...(targets.get(block) ?? [])].filter((each) => places.has(each));
    return yOf(others.length === 0 && only ? only : block);
  };
  for (const column of row) {
    column.blocks = inOrder(column.blocks, sources, (block) => (places.get(block) ?? placed.get(block))?.y);
    settle(column, besideSource);
  }
  for (const column of row.toReversed()) settle(column, besideTarget);
  for (const column of row) settle(column, (block) => (isOnly(ownSource(block)) ? besideSource : yOf)(block));
  return places;

  /** Of those in this row, the one that feeds the fewest; of several the topmost. */
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

/** By what feeds them; those that nothing feeds come last, as they stand now. */
function inOrder<Block extends Box>(
  column: readonly Block[],
  sources: Sources<Block>,
  yOf: (block: Block) => number | undefined,
): Block[] {
  const wish = (block: Block) => {
    const above = [...(sources.get(block) ?? [])].flatMap((source) => yOf(source) ?? []);
    return above.length === 0 ? Infinity : above.reduce((sum, y) => sum + y, 0) / above.length;
  };
  const compare = (a: number, b: number) => (a === b ? 0 : a - b);
  return column.toSorted((a, b) => compare(wish(a), wish(b)) || a.top - b.top);
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
