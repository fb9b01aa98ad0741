/** What is moved as one when nodes are arranged: single nodes, and groups as they are inside. */

import { type Box, inColumns, type Layout, type Spacing } from "./columns";
import { frameAround, frameGrown, isGroupWithin } from "./frames";
import type { GraphGroup, GraphNode, NodeId, Point, Rectangle, Size } from "./graph";
import { measureOf, worthwhile } from "./layoutMeasure";
import { apart } from "./mend";
import { bounds, contains, drawn, outline, overlaps } from "./placement";

export interface Block extends Box, Placed {
  /** Where it stands now. */
  box: Rectangle;
}

/** Whole nodes, title bars included, and frames; in a block, from its corner. */
export interface Placed {
  nodes: ReadonlyMap<NodeId, Rectangle>;
  frames: ReadonlyMap<GraphGroup, Rectangle>;
}

export const usualSpacing: Spacing = { columnGap: 80, rowGap: 40, widest: Number.POSITIVE_INFINITY };

/** What nodes and frames take. */
interface Extent {
  boxOf: (node: GraphNode) => Rectangle;
  /** Also frames that are mostly empty stay as large as they are. */
  keepsFrames: boolean;
}

/** As large as nodes may become, and frames no larger than they have to be. */
const roomy: Extent = { boxOf: outline, keepsFrames: false };
export const asDrawn: Extent = { boxOf: drawn, keepsFrames: true };

/** `groups` are those of which all nodes are among `nodes`. */
export function blocksOf(
  nodes: readonly GraphNode[],
  groups: readonly GraphGroup[],
  extent = roomy,
): Block[] {
  const grouped = new Set(groups.flatMap((group) => group.nodes));
  const inGroups = clustersOf(groups).map((cluster) =>
    groupBlock(
      nodes.filter(({ id }) => cluster.some((group) => group.nodes.includes(id))),
      cluster,
      extent,
    ),
  );
  const alone = nodes.filter(({ id }) => !grouped.has(id)).map((node) => asItIs([node], [], extent));
  return groups.length > 0 ? withCirclesJoined([...inGroups, ...alone], nodes) : alone;
}

export function layOut(
  blocks: readonly Block[],
  nodes: readonly GraphNode[],
  spacing: Spacing,
): Layout<Block> {
  return inColumns(blocks, sourcesAmong(blocks, nodes), spacing);
}

/** What blocks at these places come to. */
export function placedAt(places: ReadonlyMap<Block, Point>, { x, y }: Point): Placed {
  const at = (box: Rectangle, place: Point) => ({ ...box, x: x + place.x + box.x, y: y + place.y + box.y });
  const all = [...places];
  return {
    nodes: new Map(
      all.flatMap(([{ nodes }, place]) => [...nodes].map(([id, box]) => [id, at(box, place)] as const)),
    ),
    frames: new Map(
      all.flatMap(([{ frames }, place]) =>
        [...frames].map(([group, box]) => [group, at(box, place)] as const),
      ),
    ),
  };
}

/** The inner ones first. */
export function innerFirst(groups: readonly GraphGroup[]): GraphGroup[] {
  return groups.toSorted(
    (one, other) =>
      one.nodes.length - other.nodes.length ||
      Number(isGroupWithin(other, one)) - Number(isGroupWithin(one, other)),
  );
}

/** Groups that have nodes in common, or of which one lies in another. */
export function clustersOf(groups: readonly GraphGroup[]): GraphGroup[][] {
  let clusters: GraphGroup[][] = [];
  for (const group of groups) {
    const isNear = (other: GraphGroup) =>
      isGroupWithin(group, other) ||
      isGroupWithin(other, group) ||
      other.nodes.some((id) => group.nodes.includes(id));
    const near = clusters.filter((cluster) => cluster.some(isNear));
    clusters = [...clusters.filter((cluster) => !near.includes(cluster)), [...near.flat(), group]];
  }
  return clusters;
}

/** As it is inside, but for nodes that stick out or lie on one another: those come apart, or all is laid out anew where that is worth it. */
function groupBlock(nodes: readonly GraphNode[], cluster: readonly GraphGroup[], extent: Extent): Block {
  const boxes = nodes.map(extent.boxOf);
  const outer = cluster.find((group) =>
    cluster.every((each) => each === group || isGroupWithin(each, group)),
  );
  const frame = outer?.bounds;
  const isOut = frame !== undefined && nodes.some((node) => !contains(frame, drawn(node)));
  if (!isOut && !isHeap(boxes)) return asItIs(nodes, cluster, extent);
  const inside = blocksOf(nodes, outer ? cluster.filter((group) => group !== outer) : [], extent);
  const framed = (places: ReadonlyMap<Block, Point>, keeps: "none" | Extent) =>
    asBlock(withFrames(placedAt(places, { x: 0, y: 0 }), outer ? [outer] : cluster, keeps));
  const cost = (places: ReadonlyMap<Block, Point>, size: Size) =>
    measureOf({ nodes: [...nodes] }, placedAt(places, { x: 0, y: 0 }).nodes, size).cost;
  const pushed = apart(inside, frame);
  const mended = pushed && framed(pushed, extent);
  if (mended && extent.keepsFrames) return mended;
  const anew = layOut(inside, nodes, usualSpacing);
  if (mended && worthwhile * cost(pushed, mended) <= cost(anew.places, anew)) return mended;
  return { ...framed(anew.places, "none"), box: bounds(boxes), top: bounds(boxes).y };
}

function asItIs(nodes: readonly GraphNode[], groups: readonly GraphGroup[], extent = roomy): Block {
  const boxes = new Map(nodes.map((node) => [node.id, extent.boxOf(node)]));
  return asBlock(withFrames({ nodes: boxes, frames: new Map() }, groups, extent));
}

/** As one, each where it stands now. */
export function joined(blocks: readonly Block[]): Block {
  const there = blocks.map((block) => placedAt(new Map([[block, block.box]]), { x: 0, y: 0 }));
  return asBlock({
    nodes: new Map(there.flatMap(({ nodes }) => [...nodes])),
    frames: new Map(there.flatMap(({ frames }) => [...frames])),
  });
}

/** Each frame around what lies in it; one that is kept is at least as large. */
function withFrames(
  { nodes, frames: inner }: Placed,
  groups: readonly GraphGroup[],
  extent: Extent | "none",
): Placed {
  const frames = new Map(inner);
  for (const group of innerFirst(groups)) {
    const within = [
      ...group.nodes.flatMap((id) => nodes.get(id) ?? []),
      ...[...frames].flatMap(([other, frame]) => (isGroupWithin(other, group) ? [frame] : [])),
    ];
    const isKept =
      extent !== "none" && group.bounds && (extent.keepsFrames || !isMostlyEmpty(group.bounds, within));
    if (group.bounds && isKept) frames.set(group, frameGrown(group.bounds, within));
    else if (within.length > 0) frames.set(group, frameAround(within));
  }
  return { nodes, frames };
}

function isMostlyEmpty(frame: Rectangle, within: readonly Rectangle[]): boolean {
  const area = ({ width, height }: Rectangle) => width * height;
  return within.length > 0 && 2 * area(frameAround(within)) < area(frame);
}

function asBlock({ nodes, frames }: Placed): Block {
  const box = bounds([...nodes.values(), ...frames.values()]);
  const fromCorner = <Key>(boxes: ReadonlyMap<Key, Rectangle>) =>
    new Map([...boxes].map(([key, each]) => [key, { ...each, x: each.x - box.x, y: each.y - box.y }]));
  const { width, height, y: top } = box;
  return { nodes: fromCorner(nodes), frames: fromCorner(frames), box, top, width, height };
}

/** A group that feeds what it is fed by keeps its place to that, where they do not lie on one another: no order suits them. */
function withCirclesJoined(blocks: readonly Block[], nodes: readonly GraphNode[]): Block[] {
  const sources = sourcesAmong(blocks, nodes);
  return circlesOf(blocks, sources).flatMap((circle) => {
    const isKept =
      circle.length > 1 &&
      circle.some(({ frames }) => frames.size > 0) &&
      !isHeap(circle.map(({ box }) => box)) &&
      circle.every((block) => block.width === block.box.width && block.height === block.box.height);
    return isKept ? [joined(circle)] : circle;
  });
}

/** Those that lead to one another, together. */
function circlesOf<Each>(all: readonly Each[], sources: ReadonlyMap<Each, ReadonlySet<Each>>): Each[][] {
  const reached = new Map(all.map((each) => [each, reachedFrom(each, sources)]));
  const circles: Each[][] = [];
  for (const each of all) {
    const circle = circles.find(([first]) => {
      return first !== undefined && reached.get(first)?.has(each) && reached.get(each)?.has(first);
    });
    if (circle) circle.push(each);
    else circles.push([each]);
  }
  return circles;
}

function reachedFrom<Each>(first: Each, sources: ReadonlyMap<Each, ReadonlySet<Each>>): Set<Each> {
  const reached = new Set<Each>();
  const open = [first];
  for (let each = open.pop(); each !== undefined; each = open.pop())
    for (const source of sources.get(each) ?? [])
      if (!reached.has(source)) {
        reached.add(source);
        open.push(source);
      }
  return reached;
}

export function sourcesAmong(blocks: readonly Block[], nodes: readonly GraphNode[]): Map<Block, Set<Block>> {
  const blockOf = new Map(
    blocks.flatMap((block) => [...block.nodes.keys()].map((id) => [id, block] as const)),
  );
  const sources = new Map<Block, Set<Block>>();
  for (const node of nodes) {
    const block = blockOf.get(node.id);
    for (const { linkedFrom } of node.inputs) {
      const source = linkedFrom && blockOf.get(linkedFrom.node);
      if (block && source && source !== block)
        sources.set(block, (sources.get(block) ?? new Set()).add(source));
    }
  }
  return sources;
}

/** Whether some lie on one another. */
export function isHeap(boxes: readonly Rectangle[]): boolean {
  return boxes.some((one, index) => boxes.slice(index + 1).some((other) => overlaps(one, other)));
}
