/** Nodes laid out from left to right by depth: what feeds a node stands left of it, and nothing overlaps. */

import type { Graph, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { bounds, outline, overlaps, titleHeight } from "./placement";

export interface Arrangement {
  positions: ReadonlyMap<NodeId, Point>;
  /** New bounds of groups whose nodes move, by their place in `Graph.groups`. */
  groups: ReadonlyMap<number, Rectangle>;
}

const columnGap = 80;
const rowGap = 40;
const groupPadding = 10;
const groupHeading = 40;

/** A node, or a group with all its nodes, as one thing to place. */
interface Block {
  nodes: GraphNode[];
  /** Places of the nodes within the block, title bars included. */
  within: ReadonlyMap<NodeId, Point>;
  width: number;
  height: number;
  /** Where it stands now. */
  top: number;
}

/** Moves only `ids`; groups of which every node moves stay together, and the others fit around their nodes. */
export function arrange(graph: Graph, ids: readonly NodeId[]): Arrangement {
  const chosen = new Set(ids);
  const moving = graph.nodes.filter(({ id }) => chosen.has(id));
  if (moving.length === 0) return { positions: new Map(), groups: new Map() };
  const blocks = blocksOf(graph, moving);
  const { places, height } = columns(blocks, moving);
  const start = bounds(moving.map(outline));
  const boxes = [...places].map(
    ([block, place]): Rectangle => ({
      x: start.x + place.x,
      y: start.y + place.y,
      width: block.width,
      height: block.height,
    }),
  );
  const staying = graph.nodes.filter(({ id }) => !chosen.has(id)).map(outline);
  const shift = freeShift(boxes, staying, height);
  const positions = new Map<NodeId, Point>();
  for (const [block, place] of places)
    for (const { id } of block.nodes) {
      const inner = block.within.get(id) ?? { x: 0, y: 0 };
      positions.set(id, {
        x: start.x + place.x + inner.x,
        y: start.y + place.y + inner.y + titleHeight + shift,
      });
    }
  return { positions, groups: groupBounds(graph, positions) };
}

/** Groups count outermost first, so that one inside another moves with it. */
function blocksOf(graph: Graph, moving: readonly GraphNode[]): Block[] {
  const free = new Set(moving);
  const groups = [...graph.groups].sort((a, b) => b.nodes.length - a.nodes.length);
  const grouped = groups.flatMap(({ nodes }) => {
    const members = moving.filter((node) => free.has(node) && nodes.includes(node.id));
    const isWhole = nodes.length > 1 && nodes.every((id) => members.some((node) => node.id === id));
    if (!isWhole) return [];
    for (const node of members) free.delete(node);
    return [groupBlock(members)];
  });
  return [...grouped, ...[...free].map(nodeBlock)];
}

function nodeBlock(node: GraphNode): Block {
  const { width, height, y } = outline(node);
  return { nodes: [node], within: new Map([[node.id, { x: 0, y: 0 }]]), width, height, top: y };
}

function groupBlock(nodes: GraphNode[]): Block {
  const inner = columns(nodes.map(nodeBlock), nodes);
  const within = new Map(
    [...inner.places].flatMap(
      ([
        {
          nodes: [node],
        },
        { x, y },
      ]): [NodeId, Point][] => (node ? [[node.id, { x: x + groupPadding, y: y + groupHeading }]] : []),
    ),
  );
  return {
    nodes,
    within,
    width: inner.width + 2 * groupPadding,
    height: inner.height + groupHeading + groupPadding,
    top: Math.min(...nodes.map((node) => outline(node).y)),
  };
}

/** Blocks without any link come last, in rows of their own below the others. */
function columns(
  blocks: readonly Block[],
  moving: readonly GraphNode[],
): { places: Map<Block, Point>; width: number; height: number } {
  const sources = sourcesAmong(blocks, moving);
  const targets = new Set([...sources.values()].flatMap((each) => [...each]));
  const isLinked = (block: Block) => (sources.get(block)?.size ?? 0) > 0 || targets.has(block);
  const depths = depthsOf(blocks.filter(isLinked), sources);
  const places = new Map<Block, Point>();
  let [x, height, width] = [0, 0, 0];
  const byDepth = new Map<number, Block[]>();
  for (const [block, depth] of depths) byDepth.set(depth, [...(byDepth.get(depth) ?? []), block]);
  for (const [, column] of [...byDepth].sort(([a], [b]) => a - b)) {
    const wish = (block: Block) => {
      const above = [...(sources.get(block) ?? [])].flatMap((source) => places.get(source)?.y ?? []);
      return above.length === 0 ? block.top : above.reduce((sum, y) => sum + y, 0) / above.length;
    };
    let y = 0;
    for (const block of [...column].sort((a, b) => wish(a) - wish(b) || a.top - b.top)) {
      places.set(block, { x, y });
      y += block.height + rowGap;
    }
    const widest = Math.max(...column.map((block) => block.width));
    width = x + widest;
    height = Math.max(height, y - rowGap);
    x += widest + columnGap;
  }
  let [left, row, rowHeight] = [0, places.size === 0 ? 0 : height + rowGap, 0];
  for (const block of blocks.filter((each) => !isLinked(each)).sort((a, b) => a.top - b.top)) {
    if (left > 0 && left + block.width > Math.max(width, 1200)) {
      row += rowHeight + rowGap;
      [left, rowHeight] = [0, 0];
    }
    places.set(block, { x: left, y: row });
    rowHeight = Math.max(rowHeight, block.height);
    width = Math.max(width, left + block.width);
    height = Math.max(height, row + rowHeight);
    left += block.width + columnGap;
  }
  return { places, width, height };
}

function sourcesAmong(blocks: readonly Block[], moving: readonly GraphNode[]): Map<Block, Set<Block>> {
  const blockOf = new Map(blocks.flatMap((block) => block.nodes.map((node) => [node.id, block] as const)));
  const sources = new Map<Block, Set<Block>>();
  for (const node of moving) {
    const block = blockOf.get(node.id);
    for (const { linkedFrom } of node.inputs) {
      const source = linkedFrom && blockOf.get(linkedFrom.node);
      if (block && source && source !== block)
        sources.set(block, (sources.get(block) ?? new Set()).add(source));
    }
  }
  return sources;
}

/** The longest way from a block without sources; a way that leads back to where it began does not count. */
function depthsOf(
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

/** How far down the boxes have to go to stand clear of the nodes that stay. */
function freeShift(boxes: readonly Rectangle[], staying: readonly Rectangle[], height: number): number {
  const isFree = (shift: number) =>
    boxes.every((box) => staying.every((other) => !overlaps({ ...box, y: box.y + shift }, other)));
  const tops = boxes.map(({ y }) => y);
  const candidates = staying.flatMap((other) => tops.map((top) => other.y + other.height + rowGap - top));
  return (
    [0, ...candidates.filter((shift) => shift > 0)].sort((a, b) => a - b).find(isFree) ??
    Math.max(0, ...candidates) + height
  );
}

function groupBounds(graph: Graph, positions: ReadonlyMap<NodeId, Point>): Map<number, Rectangle> {
  const around = new Map<number, Rectangle>();
  graph.groups.forEach(({ nodes: ids }, index) => {
    if (!ids.some((id) => positions.has(id))) return;
    const { x, y, width, height } = bounds(
      graph.nodes
        .filter(({ id }) => ids.includes(id))
        .map((node) => outline({ ...node, position: positions.get(node.id) ?? node.position })),
    );
    around.set(index, {
      x: x - groupPadding,
      y: y - groupHeading,
      width: width + 2 * groupPadding,
      height: height + groupHeading + groupPadding,
    });
  });
  return around;
}
