/** The ways to lay blocks out that come into question. */

import { type Block, isHeap, layOut, sourcesAmong, usualSpacing } from "./blocks";
import { type Layout, type Spacing, targetsOf } from "./columns";
import { frameHeading, framePadding } from "./frames";
import type { GraphNode, Point, Rectangle } from "./graph";
import { layoutWithNotes } from "./notes";

const tight: Spacing = { ...usualSpacing, columnGap: 50, rowGap: 30 };
const tightest: Spacing = { ...usualSpacing, columnGap: 20, rowGap: 20 };
const crowding = new Map([
  [tight, 1.1],
  [tightest, 1.25],
]);
/** How much wider a part may become. */
const wider = 1.25;
/** How much room a group keeps at most beside its first node. */
const mostSlack = 30;
/** Nodes that lie on one another have no width to keep. */
const roomOfHeap = 1600;
/** How wide all nodes may become, of their width with a column for each step. */
const shares = [1, 0.9, 0.8, 0.7, 0.6, 0.5];

export function layoutInOneRow(blocks: readonly Block[], nodes: readonly GraphNode[]): Layout<Block> {
  return layOut(blocks, nodes, usualSpacing);
}

/** In the present room, and in a bit more. */
export function layoutsInRoom(
  blocks: readonly Block[],
  nodes: readonly GraphNode[],
  widest: number,
): Layout<Block>[] {
  const spacings = [usualSpacing, tight, tightest];
  const inRoom = (some: readonly Spacing[], room: number) =>
    some.map((spacing) => ({
      ...layOut(blocks, nodes, { ...spacing, widest: room }),
      crowding: crowding.get(spacing) ?? 1,
    }));
  return [...inRoom(spacings, widest), ...inRoom(spacings, wider * widest)];
}

/** Where the first block goes: where it is, but in a group not further from the frame's corner than it looks well. */
export function cornerOf(now: Rectangle, frame: Rectangle | undefined): Point {
  const slack = (room: number, least: number) => Math.min(Math.max(room, least), least + mostSlack);
  if (!frame) return { x: Math.round(now.x), y: Math.round(now.y) };
  return {
    x: Math.round(frame.x + slack(now.x - frame.x, framePadding)),
    y: Math.round(frame.y + slack(now.y - frame.y, frameHeading)),
  };
}

/** As wide as they are now; where they lie on one another, as wide as it takes. */
export function roomOf(
  blocks: readonly Block[],
  now: Rectangle,
  corner: Point,
  frame: Rectangle | undefined,
): number {
  const { columnGap, rowGap } = tight;
  const area = blocks.reduce((sum, { width, height }) => sum + (width + columnGap) * (height + rowGap), 0);
  const square = Math.sqrt(2 * area);
  if (frame)
    return Math.max(frame.x + frame.width - framePadding - corner.x, Math.min(area / frame.height, square));
  return isHeap(blocks.map(({ box }) => box)) ? Math.max(now.width, square, roomOfHeap) : now.width;
}

/** What no wire joins stands one below the other, or side by side where there is room; notes beside what they stand next to. */
export function layoutsOfAll(blocks: readonly Block[], nodes: readonly GraphNode[]): Layout<Block>[] {
  const laidOut = (widest: number) =>
    layoutWithNotes(blocks, nodes, (others) =>
      shelved(
        joinedByWires(others, nodes).map((part) => layOut(part, nodes, { ...usualSpacing, widest })),
        usualSpacing,
      ),
    );
  const { width } = laidOut(Number.POSITIVE_INFINITY);
  return shares.map((share) => laidOut(share * width));
}

/** From top to bottom as they stand, those without any wire together and last. */
function joinedByWires(blocks: readonly Block[], nodes: readonly GraphNode[]): Block[][] {
  const sources = sourcesAmong(blocks, nodes);
  const targets = targetsOf(sources);
  const parts: Block[][] = [];
  const met = new Set<Block>();
  const around = (block: Block) => [...(sources.get(block) ?? []), ...(targets.get(block) ?? [])];
  for (const first of blocks) {
    const part: Block[] = [];
    const open = [first];
    for (let block = open.pop(); block; block = open.pop()) {
      if (met.has(block) || (around(block).length === 0 && block.nodes.size === 1)) continue;
      met.add(block);
      part.push(block);
      open.push(...around(block));
    }
    if (part.length > 0) parts.push(part);
  }
  const top = (part: readonly Block[]) => Math.min(...part.map((block) => block.top));
  const loose = blocks.filter((block) => !met.has(block));
  return [...parts.sort((one, other) => top(one) - top(other)), ...(loose.length > 0 ? [loose] : [])];
}

function shelved(parts: readonly Layout<Block>[], { columnGap, rowGap }: Spacing): Layout<Block> {
  const room = Math.max(...parts.map(({ width }) => width));
  const places = new Map<Block, Point>();
  let [left, top, width, height] = [0, 0, 0, 0];
  for (const part of parts) {
    if (left > 0 && left + part.width > room) [left, top] = [0, height + 2 * rowGap];
    for (const [block, { x, y }] of part.places) places.set(block, { x: left + x, y: top + y });
    width = Math.max(width, left + part.width);
    height = Math.max(height, top + part.height);
    left += part.width + 2 * columnGap;
  }
  return { places, width, height };
}
