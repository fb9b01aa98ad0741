/** Nodes laid out from left to right by depth, where they are: what feeds a node stands left of it, and nothing overlaps. */

import { asDrawn, type Block, blocksOf, isHeap, type Placed, placedAt } from "./blocks";
import type { Layout } from "./columns";
import { frameHeading, framePadding } from "./frames";
import { nearestFree } from "./freePlace";
import type { Graph, GraphGroup, NodeId, Point, Rectangle, Size } from "./graph";
import { measureOf, worthwhile } from "./layoutMeasure";
import { cornerOf, layoutInOneRow, layoutsInRoom, layoutsOfAll, roomOf } from "./layouts";
import type { RoomMade } from "./makeRoom";
import { mended } from "./mend";
import { withNotesJoined } from "./notes";
import { type Oddities, odditiesOf } from "./oddities";
import { frameNow, framesAfter, framesFit, obstaclesOf } from "./partFrames";
import { groupWith, type Part, partsOf } from "./parts";
import { bounds, contains, drawn, outline, overlaps, titleHeight } from "./placement";
import { roomAround } from "./roomAround";
import { withSpans } from "./spans";
import { turnsWireBack } from "./wires";

export interface Arrangement {
  positions: ReadonlyMap<NodeId, Point>;
  /** New bounds of frames, by the places of their groups in `Graph.groups`. */
  groups: ReadonlyMap<number, Rectangle>;
  parts: readonly ArrangedPart[];
}

/** Nodes that were laid out as one. */
export interface ArrangedPart {
  nodes: readonly NodeId[];
  /** The title of the group whose inside it is. */
  group?: string;
  /** How far its corner went, where there was no room. */
  by?: Point;
  /** It is as it was, nothing that is clearly better has room there: what a person may still take for disorder. */
  left?: Oddities;
  /** Its size, with the frame of its group. */
  before: Size;
  after: Size;
}

export interface ArrangeOptions {
  /** Their insides are arranged; by default that of the group that has just these nodes. */
  groups?: readonly GraphGroup[] | undefined;
  /** All nodes become one row, or as many as suit a screen. */
  all?: "one row" | "screen";
}

type Aim = "in place" | "one row" | "screen";

interface Candidate {
  placed: Placed;
  /** Of all blocks to one another, from the corner. */
  layout?: Layout<Block>;
  cost: number;
}

const gap = 20;
/** What lies on something goes so far at most. */
const farthest = 400;

/**
 * Moves only `ids`, and what makes room for a group that has none where it is. Groups of which every node moves go as they are, unless their insides are arranged. What is no heap
 * stays as it is where nothing better has room in its place.
 */
export function arrange(
  graph: Graph,
  ids: readonly NodeId[],
  { groups: named, all = "one row" }: ArrangeOptions = {},
): Arrangement {
  const chosen = new Set(ids);
  const copy: Graph = {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node })),
    groups: graph.groups.map((group) => ({ ...group })),
  };
  const insides = named ?? groupWith(graph, ids);
  const copies = insides.flatMap((group) => copy.groups[graph.groups.indexOf(group)] ?? []);
  const isAll = named === undefined && copy.nodes.every(({ id }) => chosen.has(id));
  const canvas = new Canvas(copy, isAll ? all : "in place");
  const parts = partsOf(copy, chosen, copies).flatMap((part) => canvas.arrange(part) ?? []);
  return { positions: canvas.positions, groups: canvas.groups, parts };
}

/** The graph while one part after the other is arranged in it. */
class Canvas {
  readonly positions = new Map<NodeId, Point>();
  readonly groups = new Map<number, Rectangle>();
  private readonly graph: Graph;
  private readonly aim: Aim;

  constructor(graph: Graph, aim: Aim) {
    this.graph = graph;
    this.aim = aim;
  }

  /** Keeps its top left corner, and about its width. */
  arrange(part: Part): ArrangedPart | undefined {
    const free = blocksOf(part.nodes, part.inner);
    if (free.length === 0) return undefined;
    const now = bounds(free.map(({ box }) => box));
    const corner = cornerOf(now, part.group?.bounds);
    const obstacles = obstaclesOf(this.graph, part);
    const before = this.sizeOf(part);
    const [inOrder, isHeap] = [this.inOrder(part, free, now, corner), this.isHeap(part, free)];
    const fitsAnew = ({ placed }: Candidate) =>
      this.isFree(placed, obstacles) &&
      framesFit(this.graph, part, placed) &&
      (isHeap || !turnsWireBack(this.graph, placed.nodes, leavesRow));
    const anew = inOrder.find(fitsAnew);
    const mend = this.aim === "one row" ? undefined : this.mendOf(part);
    const kept = mend?.cost ?? (isHeap || this.aim === "one row" ? Infinity : this.costNow(part));
    const isAnew = anew && anew.cost < worthwhile * kept;
    const [first] = inOrder;
    const isMoved = !mend && !isAnew && isHeap && first?.layout;
    const by = isMoved ? this.move(part, isMoved, corner, obstacles) : undefined;
    const changes = this.positions.size + this.groups.size;
    if (isAnew) this.take(part, anew.placed);
    else if (mend) this.take(part, mend.placed, "grown");
    else if (isHeap && !by) this.takeWithRoom(part, inOrder);
    const isLeft = !by && changes === this.positions.size + this.groups.size;
    return {
      nodes: part.nodes.map(({ id }) => id),
      ...(part.group && { group: part.group.title }),
      ...(by && { by }),
      ...(isLeft && { left: odditiesOf(this.graph, part.nodes) }),
      before,
      after: this.sizeOf(part),
    };
  }

  private isFree({ nodes, frames }: Placed, obstacles: readonly Rectangle[]): boolean {
    return [...nodes.values(), ...frames.values()].every(
      (box) => !obstacles.some((other) => overlaps(box, other)),
    );
  }

  private sizeOf({ nodes, inner, group }: Part): Size {
    const frames = (group ? [group, ...inner] : inner).flatMap((each) => frameNow(this.graph, each) ?? []);
    const { width, height } = bounds([...nodes.map(drawn), ...frames]);
    return { width: Math.round(width), height: Math.round(height) };
  }

  /** The best first. */
  private inOrder(part: Part, free: readonly Block[], now: Rectangle, corner: Point): Candidate[] {
    const { aim, graph } = this;
    const layoutsOf = (blocks: readonly Block[]): Layout<Block>[] => {
      if (aim === "one row") return [layoutInOneRow(blocks, part.nodes)];
      if (aim === "screen") return layoutsOfAll(blocks, part.nodes);
      const spanned = withSpans(blocks, graph.nodes, corner.x);
      return [spanned, ...(isHeap(blocks.map(({ box }) => box)) ? [blocks] : [])].flatMap((each) =>
        layoutsInRoom(each, part.nodes, roomOf(each, now, corner, part.group?.bounds)),
      );
    };
    const joined = (isStacked: boolean) => withNotesJoined(free, part.nodes, { isStacked });
    const isAlone = aim === "screen" || isHeap(free.map(({ box }) => box));
    const choices = aim === "one row" ? [free] : [joined(false), joined(true), ...(isAlone ? [free] : [])];
    return choices
      .flatMap(layoutsOf)
      .map((layout) => {
        const placed = placedAt(layout.places, corner);
        return { layout, placed, cost: measureOf(graph, placed.nodes, layout).cost * (layout.crowding ?? 1) };
      })
      .sort((one, other) => one.cost - other.cost);
  }

  private costNow({ nodes, inner }: Part): number {
    const boxes = new Map(nodes.map((node) => [node.id, drawn(node)]));
    const frames = inner.flatMap((group) => frameNow(this.graph, group) ?? []);
    return measureOf(this.graph, boxes, bounds([...boxes.values(), ...frames])).cost;
  }

  private mendOf(part: Part): Candidate | undefined {
    const { graph } = this;
    const obstacles = obstaclesOf(graph, part, drawn);
    const placed = this.mendedAmong(part, obstacles);
    if (!placed || !this.isFree(placed, obstacles) || !framesFit(graph, part, placed, "grown"))
      return undefined;
    const size = bounds([...placed.nodes.values(), ...placed.frames.values()]);
    return { placed, cost: measureOf(graph, placed.nodes, size).cost };
  }

  private mendedAmong(part: Part, obstacles: readonly Rectangle[]): Placed | undefined {
    const blocks = withNotesJoined(blocksOf(part.nodes, part.inner, asDrawn), part.nodes);
    const around = { obstacles, room: this.roomToMend(part), frame: part.group?.bounds };
    const places = mended(blocks, this.graph, around);
    return places && placedAt(places, { x: 0, y: 0 });
  }

  /** A group in its place, as far as possible as it is, for which others make room. */
  private takeWithRoom(part: Part, inOrder: readonly Candidate[]): void {
    const { group } = part;
    if (!group) return;
    const mend = this.mendedAmong(part, []);
    const anew = inOrder.map(({ placed }) => ({ placed, by: { x: 0, y: 0 } }));
    for (const { placed, by } of mend ? [{ placed: mend, by: "grown" as const }, ...anew] : anew) {
      const frame = framesAfter(this.graph, part, placed, by).get(group);
      const room = frame && roomAround(this.graph, part, frame);
      if (!room) continue;
      this.moveOthers(room);
      this.take(part, placed, by);
      return;
    }
  }

  private moveOthers({ positions, frames }: RoomMade): void {
    for (const node of this.graph.nodes) node.position = positions.get(node.id) ?? node.position;
    for (const [id, position] of positions) this.positions.set(id, position);
    for (const [index, frame] of frames) {
      const group = this.graph.groups[index];
      if (group) group.bounds = frame;
      this.groups.set(index, frame);
    }
  }

  /** All have the whole canvas, others their frame or what they take now, and what is free below it. */
  private roomToMend({ nodes, inner, group }: Part): Rectangle | undefined {
    if (this.aim === "screen") return undefined;
    const frames = (group ? [group] : inner).flatMap((each) => frameNow(this.graph, each) ?? []);
    const { height, ...room } = bounds([...nodes.map(drawn), ...frames]);
    const padding = group ? framePadding : 0;
    const [x, y] = [room.x + padding, room.y + (group ? frameHeading : 0)];
    return { x, y, width: room.width - 2 * padding, height: 2 * height };
  }

  private isHeap(part: Part, free: readonly Block[]): boolean {
    const boxes = part.nodes.map(drawn);
    const obstacles = obstaclesOf(this.graph, part, drawn);
    return (
      isHeap(boxes) ||
      isHeap(free.filter((block) => block.frames.size > 0).map(({ box }) => box)) ||
      boxes.some((box) => obstacles.some((other) => overlaps(box, other)))
    );
  }

  /** How far it goes to the nearest free place. */
  private move(
    part: Part,
    layout: Layout<Block>,
    corner: Point,
    obstacles: readonly Rectangle[],
  ): Point | undefined {
    const placed = placedAt(layout.places, corner);
    const all = bounds([...placed.nodes.values(), ...placed.frames.values()]);
    const here = (part.group && framesAfter(this.graph, part, placed).get(part.group)) ?? all;
    const at = (place: Point) => {
      const by = { x: Math.round(place.x - here.x), y: Math.round(place.y - here.y) };
      return { by, placed: placedAt(layout.places, { x: corner.x + by.x, y: corner.y + by.y }) };
    };
    const fits = (place: Rectangle) => {
      const { by, placed: there } = at(place);
      return Math.abs(by.x) + Math.abs(by.y) <= farthest && framesFit(this.graph, part, there, by);
    };
    const isForward = (place: Rectangle) => !turnsWireBack(this.graph, at(place).placed.nodes, leavesRow);
    const found =
      nearestFree(here, obstacles, { gap, fits: (place) => fits(place) && isForward(place) }) ??
      nearestFree(here, obstacles, { gap, fits });
    if (!found) return undefined;
    const { by, placed: there } = at(found);
    this.take(part, there, by);
    return by;
  }

  private take(part: Part, placed: Placed, by?: Point | "grown"): void {
    const frames = framesAfter(this.graph, part, placed, by);
    for (const node of part.nodes) {
      const box = placed.nodes.get(node.id);
      if (!box || (by === "grown" && isSamePlace(box, outline(node)))) continue;
      node.position = { x: box.x, y: box.y + titleHeight };
      this.positions.set(node.id, node.position);
    }
    for (const [group, frame] of frames) {
      if (by === "grown" && isFrameOf(group, frame)) continue;
      if (group.bounds) group.bounds = frame;
      this.groups.set(this.graph.groups.indexOf(group), frame);
    }
  }
}

function isSamePlace(one: Point, other: Point): boolean {
  return one.x === other.x && one.y === other.y;
}

function isFrameOf({ bounds: now }: GraphGroup, frame: Rectangle): boolean {
  return now !== undefined && contains(now, frame) && contains(frame, now);
}

/** In rows, a wire to what lies wholly below may run back. */
function leavesRow(source: Rectangle, target: Rectangle): boolean {
  return target.y >= source.y + source.height;
}
