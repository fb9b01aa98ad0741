/** Nodes laid out from left to right by depth, where they are: what feeds a node stands left of it, and nothing overlaps. */

import {
  type Block,
  blocksOf,
  innerFirst,
  isHeap,
  layOut,
  type Placed,
  placedAt,
  usualSpacing,
} from "./blocks";
import type { Layout, Spacing } from "./columns";
import { frameAround, frameGrown, frameHeading, frameOf, framePadding, isGroupWithin } from "./frames";
import { nearestFree } from "./freePlace";
import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { bounds, outline, overlaps, titleHeight } from "./placement";
import { withSpans } from "./spans";
import { turnsWireBack } from "./wires";

export interface Arrangement {
  positions: ReadonlyMap<NodeId, Point>;
  /** New bounds of frames, by the places of their groups in `Graph.groups`. */
  groups: ReadonlyMap<number, Rectangle>;
  /** The parts for which there was no room where they were. */
  moves: readonly PartMove[];
}

export interface PartMove {
  nodes: readonly NodeId[];
  /** The title of the group whose inside it is. */
  group?: string;
  /** How far its corner went; undefined where it stays as it was, since no place near it is free. */
  by: Point | undefined;
}

/** What is laid out as one: the inside of a group, or nodes that lie in the same one. */
interface Part {
  nodes: readonly GraphNode[];
  /** Those that move as they are. */
  inner: readonly GraphGroup[];
  group?: GraphGroup;
}

const tight: Spacing = { ...usualSpacing, columnGap: 50, rowGap: 30 };
const tightest: Spacing = { ...usualSpacing, columnGap: 20, rowGap: 20 };
/** How much wider a part may become where it does not fit otherwise. */
const wider = 1.25;
/** Nodes that lie on one another have no width to keep. */
const roomOfHeap = 1600;
const gap = 20;
/** How much room a group keeps at most beside its first node. */
const mostSlack = 30;

/**
 * Moves only `ids`. The insides of the groups that are named are arranged, by default of the one that has just these
 * nodes; others of which every node moves go as they are. All nodes together may become as wide as it takes.
 */
export function arrange(graph: Graph, ids: readonly NodeId[], named?: readonly GraphGroup[]): Arrangement {
  const chosen = new Set(ids);
  const copy: Graph = {
    ...graph,
    nodes: graph.nodes.map((node) => (chosen.has(node.id) ? { ...node } : node)),
    groups: graph.groups.map((group) => ({ ...group })),
  };
  const insides = named ?? groupWith(graph, ids);
  const copies = insides.flatMap((group) => copy.groups[graph.groups.indexOf(group)] ?? []);
  const isAll = named === undefined && copy.nodes.every(({ id }) => chosen.has(id));
  const canvas = new Canvas(copy, { isAll });
  const moves = partsOf(copy, chosen, copies).flatMap((part) => canvas.arrange(part));
  return { positions: canvas.positions, groups: canvas.groups, moves };
}

function groupWith({ groups }: Graph, ids: readonly NodeId[]): GraphGroup[] {
  const chosen = new Set(ids);
  const isJust = ({ nodes }: GraphGroup) =>
    nodes.length > 0 && nodes.length === chosen.size && nodes.every((id) => chosen.has(id));
  return innerFirst(groups.filter(isJust)).slice(0, 1);
}

function partsOf(
  { groups, nodes }: Graph,
  chosen: ReadonlySet<NodeId>,
  insides: readonly GraphGroup[],
): Part[] {
  const inside = innerFirst(insides).map((group) => ({
    nodes: nodes.filter(({ id }) => group.nodes.includes(id)),
    inner: groups.filter((each) => isGroupWithin(each, group)),
    group,
  }));
  const done = new Set(inside.flatMap((part) => part.nodes));
  const rest = new Map(
    nodes.flatMap((node) => (chosen.has(node.id) && !done.has(node) ? [[node.id, node]] : [])),
  );
  const isWhole = (group: GraphGroup) =>
    group.nodes.every((id) => rest.has(id)) && (group.nodes.length > 0 || rest.size === nodes.length);
  const whole = groups.filter(isWhole);
  const homes = innerFirst(groups.filter((group) => !whole.includes(group)));
  const homeOf = (id: NodeId) => homes.find((group) => group.nodes.includes(id));
  const parts = Map.groupBy(rest.values(), ({ id }) => homeOf(id));
  return [
    ...inside,
    ...[...parts].map(([home, each]) => ({
      nodes: each,
      inner: whole.filter((group) => homeOf(group.nodes[0] ?? "") === home),
    })),
  ];
}

/** The graph while one part after the other is arranged in it. */
class Canvas {
  readonly positions = new Map<NodeId, Point>();
  readonly groups = new Map<number, Rectangle>();
  private readonly graph: Graph;
  private readonly isAll: boolean;

  constructor(graph: Graph, { isAll }: { isAll: boolean }) {
    this.graph = graph;
    this.isAll = isAll;
  }

  /** Keeps its top left corner, and about its width. */
  arrange(part: Part): PartMove[] {
    const free = blocksOf(part.nodes, part.inner);
    const now = bounds(free.map(({ box }) => box));
    const corner = cornerOf(now, part.group?.bounds);
    const blocks = withSpans(free, this.graph.nodes, corner.x);
    const widest = this.isAll ? Number.POSITIVE_INFINITY : roomOf(blocks, now, corner, part.group?.bounds);
    const layouts = layoutsIn(blocks, part.nodes, widest);
    const obstacles = this.obstaclesOf(part);
    const isFree = ({ places }: Layout<Block>) =>
      [...places].every(([{ width, height }, { x, y }]) => {
        const box = { x: corner.x + x, y: corner.y + y, width, height };
        return !obstacles.some((other) => overlaps(box, other));
      });
    const [first] = layouts;
    const fitting = layouts.find(
      (layout) => isFree(layout) && this.framesFit(part, placedAt(layout.places, corner)),
    );
    if (!first) return [];
    if (fitting) this.take(part, placedAt(fitting.places, corner));
    return fitting ? [] : [this.move(part, first, corner, obstacles)];
  }

  private move(part: Part, layout: Layout<Block>, corner: Point, obstacles: readonly Rectangle[]): PartMove {
    const placed = placedAt(layout.places, corner);
    const all = bounds([...placed.nodes.values(), ...placed.frames.values()]);
    const here = (part.group && this.framesAfter(part, placed).get(part.group)) ?? all;
    const at = (place: Point) => {
      const by = { x: Math.round(place.x - here.x), y: Math.round(place.y - here.y) };
      return { by, placed: placedAt(layout.places, { x: corner.x + by.x, y: corner.y + by.y }) };
    };
    const fits = (place: Rectangle) => this.framesFit(part, at(place).placed, at(place).by);
    const isForward = (place: Rectangle) => !turnsWireBack(this.graph, at(place).placed.nodes, leavesRow);
    const found =
      nearestFree(here, obstacles, { gap, fits: (place) => fits(place) && isForward(place) }) ??
      nearestFree(here, obstacles, { gap, fits });
    if (found) this.take(part, at(found).placed, at(found).by);
    return {
      nodes: part.nodes.map(({ id }) => id),
      ...(part.group && { group: part.group.title }),
      by: found && at(found).by,
    };
  }

  /** Nodes that are not in the part, and frames of groups that have none of its nodes. */
  private obstaclesOf({ nodes, inner, group: own }: Part): Rectangle[] {
    const moving = new Set(nodes.map(({ id }) => id));
    const foreign = this.graph.groups.filter(
      (group) => group !== own && !inner.includes(group) && !group.nodes.some((id) => moving.has(id)),
    );
    return [
      ...this.graph.nodes.filter(({ id }) => !moving.has(id)).map(outline),
      ...foreign.flatMap((group) => this.frameNow(group) ?? []),
    ];
  }

  private frameNow({ bounds: drawn, nodes }: GraphGroup): Rectangle | undefined {
    return drawn ?? (nodes.length > 0 ? frameOf(this.graph, nodes) : undefined);
  }

  /** All frames that change when the part is placed so: that of its group goes along, those around it grow. */
  private framesAfter(
    { nodes, group: own }: Part,
    { nodes: boxes, frames: inner }: Placed,
    by: Point = { x: 0, y: 0 },
  ): Map<GraphGroup, Rectangle> {
    const frames = new Map(inner);
    const { graph } = this;
    const isAround = (group: GraphGroup) =>
      !inner.has(group) && (group === own || nodes.some(({ id }) => group.nodes.includes(id)));
    for (const group of innerFirst(graph.groups.filter(isAround))) {
      const within = [
        ...graph.nodes.flatMap((node) =>
          group.nodes.includes(node.id) ? [boxes.get(node.id) ?? outline(node)] : [],
        ),
        ...graph.groups.flatMap((each) =>
          isGroupWithin(each, group) ? (frames.get(each) ?? this.frameNow(each) ?? []) : [],
        ),
      ];
      const { bounds: drawn } = group;
      if (!drawn) frames.set(group, frameAround(within));
      else if (group === own) frames.set(group, fromCorner(drawn, by, within));
      else frames.set(group, frameGrown(drawn, within));
    }
    return frames;
  }

  /** Whether no frame that changes comes to lie on what is not in its group and was clear of it. */
  private framesFit(part: Part, placed: Placed, by?: Point): boolean {
    const after = this.framesAfter(part, placed, by);
    return [...after].every(([group, frame]) => {
      if (placed.frames.has(group)) return true;
      const before = by && group === part.group ? undefined : this.frameNow(group);
      const isMet = (box: Rectangle) => overlaps(frame, box) && !(before && overlaps(before, box));
      const isApart = (other: GraphGroup) =>
        other !== group &&
        !isGroupWithin(other, group) &&
        !isGroupWithin(group, other) &&
        !other.nodes.some((id) => group.nodes.includes(id));
      return !(
        this.graph.nodes.some(
          (node) => !group.nodes.includes(node.id) && isMet(placed.nodes.get(node.id) ?? outline(node)),
        ) ||
        this.graph.groups.some((other) => {
          const box = isApart(other) ? (after.get(other) ?? this.frameNow(other)) : undefined;
          return box !== undefined && isMet(box);
        })
      );
    });
  }

  private take(part: Part, placed: Placed, by?: Point): void {
    const frames = this.framesAfter(part, placed, by);
    for (const node of part.nodes) {
      const box = placed.nodes.get(node.id);
      if (!box) continue;
      node.position = { x: box.x, y: box.y + titleHeight };
      this.positions.set(node.id, node.position);
    }
    for (const [group, frame] of frames) {
      if (group.bounds) group.bounds = frame;
      this.groups.set(this.graph.groups.indexOf(group), frame);
    }
  }
}

/** In rows, a wire to what lies wholly below may run back. */
function leavesRow(source: Rectangle, target: Rectangle): boolean {
  return target.y >= source.y + source.height;
}

/** Where the first block goes: where it is, but in a group not further from the frame's corner than it looks well. */
function cornerOf(now: Rectangle, frame: Rectangle | undefined): Point {
  const slack = (room: number, least: number) => Math.min(Math.max(room, least), least + mostSlack);
  if (!frame) return { x: Math.round(now.x), y: Math.round(now.y) };
  return {
    x: Math.round(frame.x + slack(now.x - frame.x, framePadding)),
    y: Math.round(frame.y + slack(now.y - frame.y, frameHeading)),
  };
}

/** As wide as they are now; where they lie on one another, as wide as it takes. */
function roomOf(
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

/** The one with the fewest rows first, and of these the one with more room between. */
function layoutsIn(blocks: readonly Block[], nodes: readonly GraphNode[], widest: number): Layout<Block>[] {
  const isBound = Number.isFinite(widest);
  const inRoom = (room: number) =>
    (isBound ? [usualSpacing, tight, tightest] : [usualSpacing])
      .map((spacing) => layOut(blocks, nodes, { ...spacing, widest: room }))
      .sort((one, other) => one.rows - other.rows);
  return [...inRoom(widest), ...(isBound ? inRoom(wider * widest) : [])];
}

/** A frame that keeps its corner, but for being moved along, and ends where its content does. */
function fromCorner({ x, y }: Point, by: Point, within: readonly Rectangle[]): Rectangle {
  const around = frameAround(within);
  const left = Math.min(x + by.x, around.x);
  const top = Math.min(y + by.y, around.y);
  return {
    x: left,
    y: top,
    width: around.x + around.width - left,
    height: around.y + around.height - top,
  };
}
