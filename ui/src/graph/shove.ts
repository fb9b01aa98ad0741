/** Room on a canvas: nodes that are shoved aside shove what they come upon, whole groups as they are. */

import { innerFirst } from "./blocks";
import { frameGrown, isGroupWithin } from "./frames";
import type { Graph, GraphGroup, NodeId, Point, Rectangle } from "./graph";
import { metBackwards, sourcesOf } from "./newNodes";
import { notesAt } from "./notes";
import { boxesOf, overlaps, titleHeight } from "./placement";

export interface Shoved {
  positions: ReadonlyMap<NodeId, Point>;
  /** New bounds of frames, by the places of their groups in `Graph.groups`. */
  frames: ReadonlyMap<number, Rectangle>;
}

export interface Around {
  /** Boxes of new nodes, for which the room is. */
  news: ReadonlyMap<NodeId, Rectangle>;
  /** All new nodes, those among them that have no place yet. */
  added: ReadonlyMap<NodeId, unknown>;
  /** Groups that become larger instead of being moved as a whole. */
  torn?: ReadonlySet<GraphGroup>;
  /** Groups that come to have the new nodes in them. */
  homes?: ReadonlySet<GraphGroup>;
  /** What is not moved. */
  held: ReadonlySet<NodeId>;
}

/** The least between two nodes, less what a grid may take of it. */
const apart = 10;
/** What a wire keeps of its length, where it was that long. */
const wireLength = 60;
/** More would be another layout. */
const mostMoved = 30;

/** Undefined where something is held, where it would be too much, or where the room is not free even so. */
export function shoved(
  graph: Graph,
  seeds: ReadonlySet<NodeId>,
  by: Point,
  around: Around,
): Shoved | undefined {
  const canvas = new Canvas(graph, by, around);
  for (const id of seeds) canvas.move(id);
  while (canvas.moved.size <= mostMoved && canvas.moveOn());
  return canvas.moved.size <= mostMoved && canvas.isFree() ? canvas.shoved() : undefined;
}

class Canvas {
  readonly moved = new Set<NodeId>();

  private readonly graph: Graph;
  /** Without the new nodes. */
  private readonly old: Graph;
  private readonly by: Point;
  private readonly around: Around;
  private readonly boxes: ReadonlyMap<NodeId, Rectangle>;
  /** From node to node, through new ones. */
  private readonly links: readonly (readonly [NodeId, NodeId])[];
  /** Frames without nodes that are in the way. */
  private readonly emptied = new Set<GraphGroup>();

  constructor(graph: Graph, by: Point, around: Around) {
    this.graph = graph;
    this.by = by;
    this.around = around;
    this.old = { ...graph, nodes: graph.nodes.filter(({ id }) => !around.added.has(id)) };
    this.boxes = boxesOf(this.old.nodes);
    this.links = this.old.nodes.flatMap(({ id }) =>
      sourcesThrough(graph, id, around.added).map((source) => [source, id] as const),
    );
  }

  move(id: NodeId): void {
    if (this.boxes.has(id)) this.moved.add(id);
  }

  /** Whether more had to be moved. */
  moveOn(): boolean {
    const before = this.moved.size + this.emptied.size;
    for (const group of this.graph.groups)
      if (!this.isTorn(group) && group.nodes.some((id) => this.moved.has(id))) this.moveGroup(group);
    const movers = this.movers();
    for (const [id, box] of this.boxes)
      if (!this.moved.has(id) && movers.some((mover) => isMet(mover, box) && !mover.has(id))) this.move(id);
    for (const group of this.graph.groups) if (this.isInTheWay(group, movers)) this.moveGroup(group);
    if (this.by.x !== 0) this.keepWires();
    for (const { id } of notesAt(this.old, this.moved)) this.move(id);
    return this.moved.size + this.emptied.size > before;
  }

  isFree(): boolean {
    const after = [...this.moved].flatMap((id) => this.boxes.get(id) ?? []).map(this.shifted);
    return (
      ![...this.moved].some((id) => this.around.held.has(id)) &&
      ![...this.around.news.values()].some((one) => after.some((other) => overlaps(one, other)))
    );
  }

  shoved(): Shoved {
    return {
      positions: new Map(
        [...this.moved].flatMap((id) => {
          const box = this.boxes.get(id);
          return box ? [[id, { x: box.x + this.by.x, y: box.y + this.by.y + titleHeight }] as const] : [];
        }),
      ),
      frames: new Map(
        [...this.frames()].map(([group, frame]) => [this.graph.groups.indexOf(group), frame] as const),
      ),
    };
  }

  private shifted = (box: Rectangle): Rectangle => ({ ...box, x: box.x + this.by.x, y: box.y + this.by.y });

  private isTorn = (group: GraphGroup) => this.around.torn?.has(group) ?? false;

  private moveGroup(group: GraphGroup): void {
    if (group.nodes.length === 0) this.emptied.add(group);
    for (const id of group.nodes) this.move(id);
  }

  /** Those that are elsewhere or larger. */
  private frames(): ReadonlyMap<GraphGroup, Rectangle> {
    const frames = new Map<GraphGroup, Rectangle>();
    for (const group of innerFirst(this.graph.groups)) {
      if (!group.bounds) continue;
      const isMoved =
        this.emptied.has(group) || (!this.isTorn(group) && group.nodes.some((id) => this.moved.has(id)));
      const frame = isMoved ? this.shifted(group.bounds) : group.bounds;
      const own = group.nodes.flatMap((id) => (this.moved.has(id) ? (this.boxes.get(id) ?? []) : []));
      const inner = [...frames].flatMap(([each, box]) => (isGroupWithin(each, group) ? [box] : []));
      const news = this.around.homes?.has(group) ? [...this.around.news.values()] : [];
      const grown = frameGrown(frame, [...own.map(this.shifted), ...inner, ...news]);
      if (isMoved || grown !== frame) frames.set(group, grown);
    }
    return frames;
  }

  private movers(): Mover[] {
    const nodes = [...this.moved].flatMap((id): Mover[] => {
      const was = this.boxes.get(id);
      return was ? [{ was, now: this.shifted(was), has: (other) => other === id }] : [];
    });
    const news = [...this.around.news.values()].map((now): Mover => ({ now, has: () => false }));
    const frames = [...this.frames()].map(([group, now]): Mover => {
      const inside = new Set(group.nodes);
      return { was: group.bounds, now, group, has: (id) => inside.has(id) };
    });
    return [...nodes, ...news, ...frames];
  }

  private isInTheWay(group: GraphGroup, movers: readonly Mover[]): boolean {
    const { bounds, nodes } = group;
    if (!bounds || this.isTorn(group) || this.around.homes?.has(group) || this.emptied.has(group))
      return false;
    if (nodes.some((id) => this.moved.has(id))) return false;
    const isNested = (other: GraphGroup | undefined) =>
      other !== undefined && (other === group || isGroupWithin(group, other) || isGroupWithin(other, group));
    return movers.some((mover) => !isNested(mover.group) && isMet(mover, bounds));
  }

  /** What a wire leads to, or comes from, goes along before that runs back or becomes short; what stands under it, too. */
  private keepWires(): void {
    for (const [source, target] of this.links) {
      const [from, to] = [this.boxes.get(source), this.boxes.get(target)];
      const isFrom = this.moved.has(source);
      if (!from || !to || isFrom === this.moved.has(target) || isFrom !== this.by.x > 0) continue;
      const length = to.x - from.x - from.width;
      const isStacked = length < 0 && to.x + to.width > from.x;
      if (isStacked || (length >= 0 && length - Math.abs(this.by.x) < Math.min(length, wireLength)))
        this.move(isFrom ? target : source);
    }
  }
}

/** What feeds a node, directly and through new ones. */
function sourcesThrough(graph: Graph, id: NodeId, added: ReadonlyMap<NodeId, unknown>): NodeId[] {
  const met = metBackwards(graph, added, [id, ...sourcesOf(graph.nodes.find((node) => node.id === id))]);
  return [...met].filter((each) => each !== id && !added.has(each));
}

interface Mover {
  /** None of what is new. */
  was?: Rectangle | undefined;
  now: Rectangle;
  group?: GraphGroup;
  has(id: NodeId): boolean;
}

/** Whether it comes upon this, which it did not lie on before. */
function isMet({ was, now }: Mover, box: Rectangle): boolean {
  return overlaps(now, box, apart) && !(was && overlaps(was, box, apart));
}
