/** Nodes that a frame shall be drawn around: the loose ones go to where most of them are, and others stay. */

import { framePadding } from "./frames";
import { type Boxes, frameGap, nodeGap } from "./frameTogether";
import { nearestFree } from "./freePlace";
import {
  across,
  apart,
  areaOf,
  down,
  emptiness,
  Gathered,
  movedTo,
  type Part,
  shiftedAll,
  upwards,
} from "./gathered";
import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { type Movers, moveCost } from "./moveCost";
import { isWireless, notesAt } from "./notes";
import { bounds, boxesOf, contains, isInside, outline, overlaps, shifted, titleHeight } from "./placement";
import { turnsWireBack } from "./wires";

export interface Gathering {
  /** Of the nodes that move. */
  positions: ReadonlyMap<NodeId, Point>;
  frame: Rectangle;
  /** New bounds of the frames within it, of those that it lies in and of those that go out of its way, by the places of their groups. */
  groups: ReadonlyMap<number, Rectangle>;
  /** The groups that went with their nodes, as they were. */
  carried: readonly Carried[];
}

export interface Carried {
  group: GraphGroup;
  by: Point;
}

interface Known {
  /** New nodes: they move first. */
  added?: ReadonlySet<NodeId>;
  /** Nodes of frames that are drawn later: they may have to move anyhow. */
  pending?: ReadonlySet<NodeId>;
}

/** For each pixel that two frames are nearer than they should be. */
const tight = 30;
/** Frames one above the other whose left edges are so close should share them. */
const nearEdge = 100;
const unaligned = 50;
const mostNudges = 3;

export function broughtTogether(graph: Graph, ids: readonly NodeId[], known: Known = {}): Gathering {
  const canvas = new Canvas(graph, ids, known);
  const moved = canvas.withNotes(canvas.cheapest());
  const frame = canvas.frameWith(moved);
  const groups = canvas.otherFrames(moved, frame);
  return {
    positions: new Map([...moved].map(([id, { x, y }]) => [id, { x, y: y + titleHeight }])),
    frame,
    groups,
    carried: carriedAmong(graph, groups),
  };
}

function carriedAmong(graph: Graph, groups: ReadonlyMap<number, Rectangle>): Carried[] {
  return [...groups].flatMap(([index, { x, y, width, height }]) => {
    const group = graph.groups[index];
    if (group?.bounds?.width !== width || group.bounds.height !== height) return [];
    return [{ group, by: { x: Math.round(x - group.bounds.x), y: Math.round(y - group.bounds.y) } }];
  });
}

class Canvas extends Gathered {
  private readonly movers: Movers;
  /** Others that may go out of the way: in no frame, or in one that is new as well. */
  private readonly loose: ReadonlySet<NodeId>;
  /** Those of them that do so sooner than the rest, as notes, which have no wires. */
  private readonly yielding: ReadonlySet<NodeId>;

  constructor(graph: Graph, ids: readonly NodeId[], { added = new Set(), pending = new Set() }: Known) {
    super(graph, ids);
    const isNew = (id: NodeId) => added.has(id);
    const notes = new Set(this.others.filter(isWireless).map(({ id }) => id));
    this.movers = { isNew, isNamed: (id) => ids.includes(id) || pending.has(id) || notes.has(id) };
    const grouped = new Set(graph.groups.flatMap(({ nodes }) => (nodes.every(isNew) ? [] : nodes)));
    const loose = this.others.flatMap(({ id }) => (grouped.has(id) ? [] : [id]));
    this.loose = new Set(loose);
    this.yielding = new Set(loose.filter((id) => isNew(id) || pending.has(id) || notes.has(id)));
  }

  cheapest(): Boxes {
    const none: ReadonlySet<NodeId> = new Set();
    const ways = [none, this.yielding, this.loose].flatMap((spared) => [...this.gathered(spared)]);
    if (!this.isClear(new Map())) ways.push(...this.allMoved(none), ...this.allMoved(this.yielding));
    const best = [new Map(), ...ways]
      .flatMap((moved) => [moved, ...this.nudged(moved)])
      .flatMap((moved) => [moved, ...this.aligned(moved)])
      .flatMap((moved) => this.withRoom(moved) ?? [])
      .map((moved) => ({ moved, cost: this.costOf(moved) }))
      .sort((one, other) => one.cost - other.cost)[0];
    return best?.moved ?? this.farAway();
  }

  /** Notes go along with what they stand at, and off the new frame as far as that has room to spare. */
  withNotes(moved: Boxes): Boxes {
    const before = boxesOf(this.graph.nodes);
    const ways = Map.groupBy(moved, ([id, { x, y }]) => {
      const was = before.get(id) ?? { x, y };
      return `${x - was.x} ${y - was.y}`;
    });
    let after = moved;
    for (const [way, nodes] of ways) {
      const [x = 0, y = 0] = way.split(" ").map(Number);
      for (const note of notesAt(this.graph, new Set(nodes.map(([id]) => id))))
        if (this.loose.has(note.id) && !after.has(note.id)) after = this.taken(note, { x, y }, after);
    }
    const members = this.members.map((node) => [node.id, after.get(node.id) ?? outline(node)] as const);
    const { y: top, height } = this.frameAlone(new Map(members));
    for (const note of this.others.filter(({ id }) => this.loose.has(id)).filter(isWireless)) {
      const box = after.get(note.id) ?? outline(note);
      const short = Math.ceil(top + height + framePadding - box.y);
      const isUnder =
        box.y >= top + height - framePadding && overlaps(box, this.frameWith(after), framePadding);
      const lower = new Map([...after, [note.id, shifted(box, { x: 0, y: short })]]);
      if (isUnder && short > 0 && this.isPlace(note, lower)) after = lower;
    }
    return after;
  }

  /** There, else near there where that is nearer to it than where the note is. */
  private taken(note: GraphNode, by: Point, moved: Boxes): Boxes {
    const part = { nodes: [note], box: outline(note), isFramed: false };
    const wish = shifted(part.box, by);
    const there = movedTo(part, wish, moved);
    if (this.isPlace(note, there)) return there;
    const near = this.placeOutside({ ...part, box: wish }, [this.frameWith(moved)], moved);
    const far = ({ x, y }: Point) => Math.abs(x - wish.x) + Math.abs(y - wish.y);
    return near && 2 * far(near) < far(part.box) ? movedTo(part, near, moved) : moved;
  }

  private isPlace(note: GraphNode, moved: Boxes): boolean {
    const box = moved.get(note.id) ?? outline(note);
    const rest = this.graph.nodes.filter((node) => node !== note);
    const others = rest.map((node) => moved.get(node.id) ?? outline(node));
    return ![...others, this.frameWith(moved), ...this.frames(moved), ...this.tornFrames()].some((other) =>
      overlaps(box, other),
    );
  }

  private costOf(moved: Boxes): number {
    const frame = this.frameWith(moved);
    const full = this.members.map((node) => moved.get(node.id) ?? outline(node));
    const rise = bounds(this.members.map(outline)).y - bounds(full).y;
    const empty = areaOf(frame) - full.reduce((sum, box) => sum + areaOf(box), 0);
    const left = this.tornFrames().filter((other) => !full.some((box) => isInside(other, box)));
    const frames = [...this.frames(moved), ...left];
    const near = frames.reduce((sum, other) => sum + Math.max(0, frameGap - apart(frame, other)), 0);
    const askew = frames.some((other) => isAskew(frame, other)) ? unaligned : 0;
    return (
      moveCost(this.graph, moved, this.movers) +
      empty / emptiness +
      tight * near +
      askew +
      upwards * Math.max(0, rise)
    );
  }

  /** With those out of the frame, and out of those that grow around it, that these would hold or cut; none that belongs to a group is taken out of it. */
  private withRoom(moved: Boxes): Boxes | undefined {
    const frame = this.frameWith(moved);
    const outer = this.outerGrown(frame);
    const isMet = ({ box, nodes }: Part) =>
      overlaps(frame, box) ||
      [...outer].some(([group, grown]) => overlaps(grown, box) && !holdsOrLay(group, nodes, box));
    const inTheWay = this.partsOf(this.others, this.foreign).filter(isMet);
    if (moved.size > 0 && !(this.isWellIn(moved, this.members, this.loose) && this.isUncut(moved)))
      return undefined;
    if (inTheWay.some(({ nodes }) => !nodes.every(({ id }) => this.loose.has(id)))) return undefined;
    let after = moved;
    for (const part of inTheWay) {
      const place = this.placeOutside(part, [frame, ...outer.values()], after);
      if (!place) return undefined;
      after = movedTo(part, place, after);
    }
    return this.isClear(after) ? after : undefined;
  }

  /** Whether the frames that have some of the members hold each that moves wholly, or not at all. */
  private isUncut(moved: Boxes): boolean {
    return this.tornFrames().every((frame) =>
      [...moved.values()].every((box) => !overlaps(frame, box) || contains(frame, box)),
    );
  }

  private placeOutside(
    part: Part,
    frames: readonly [Rectangle, ...Rectangle[]],
    moved: Boxes,
  ): Rectangle | undefined {
    const [frame] = frames;
    const rest = this.graph.nodes.filter((node) => !part.nodes.includes(node));
    const obstacles = [
      ...frames,
      ...rest.map((node) => moved.get(node.id) ?? outline(node)),
      ...this.foreign.flatMap((group) =>
        part.nodes.some(({ id }) => group.nodes.includes(id)) ? [] : (this.frameOf(group, moved) ?? []),
      ),
      ...this.tornFrames(),
    ];
    const { box } = part;
    const from = part.isFramed && Math.abs(box.x - frame.x) <= nearEdge ? { ...box, x: frame.x } : box;
    const isForward = (place: Rectangle) => !turnsWireBack(this.graph, movedTo(part, place, moved));
    const found =
      nearestFree(from, obstacles, { gap: frameGap, fits: isForward }) ??
      nearestFree(from, obstacles, { gap: frameGap });
    return (
      found && { ...found, x: box.x + Math.round(found.x - box.x), y: box.y + Math.round(found.y - box.y) }
    );
  }

  /** All members a little aside, so that their frame stays clear of what is close by. */
  private *nudged(moved: Boxes): Generator<Boxes> {
    let boxes: Boxes = new Map([...boxesOf(this.members), ...moved]);
    for (let count = 0; count < mostNudges; count++) {
      const frame = this.frameAlone(boxes);
      const missing = [
        ...this.obstacles(this.yielding, boxes).map((box) => ({ box, short: nodeGap - apart(frame, box) })),
        ...this.frames(boxes).map((box) => ({ box, short: frameGap - apart(frame, box) })),
      ].filter(({ short }) => short > 0 && short <= nearEdge);
      const [worst] = missing.sort((one, other) => other.short - one.short);
      if (!worst) return;
      const { box, short } = worst;
      const by = Math.ceil(short);
      boxes =
        across(frame, box) >= down(frame, box)
          ? shiftedAll(boxes, frame.x > box.x ? by : -by, 0)
          : shiftedAll(boxes, 0, frame.y > box.y ? by : -by);
      yield boxes;
    }
  }

  /** All members a little aside, so that their frame has the left edge of one below or above it. */
  private aligned(moved: Boxes): Boxes[] {
    const frame = this.frameWith(moved);
    const boxes = new Map([...boxesOf(this.members), ...moved]);
    return this.frames(moved).flatMap((other) =>
      isAskew(frame, other) ? [shiftedAll(boxes, Math.round(other.x - frame.x), 0)] : [],
    );
  }
}

/** Whether these belong to the group, or lay in its frame or across its edge. */
function holdsOrLay(
  { nodes: ids, bounds: frame }: GraphGroup,
  nodes: readonly GraphNode[],
  box: Rectangle,
): boolean {
  return nodes.some(({ id }) => ids.includes(id)) || (frame !== undefined && overlaps(frame, box));
}

/** Whether they stand one above the other, with left edges that nearly agree. */
function isAskew(one: Rectangle, other: Rectangle): boolean {
  const by = Math.abs(one.x - other.x);
  return by > 0 && by <= nearEdge && down(one, other) >= 0 && down(one, other) <= 2 * nearEdge;
}
