/** Room on a canvas: nodes that are shoved aside shove what they come upon, whole groups as they are. */

import { innerFirst } from "./blocks";
import { frameGrown, isGroupWithin } from "./frames";
import type { Graph, GraphGroup, NodeId, Point, Rectangle } from "./graph";
import { metBackwards, sourcesOf } from "./newNodes";
import { notesAt } from "./notes";
import { contains, drawn, overlaps, shifted, titleHeight } from "./placement";

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
  torn: ReadonlySet<GraphGroup>;
  /** Groups that come to have the new nodes in them. */
  homes: ReadonlySet<GraphGroup>;
  /** What is not moved. */
  held: ReadonlySet<NodeId>;
}

/** The least between two nodes, less what a grid may take of it. */
const apart = 10;
/** What a wire keeps of its length, where it was that long. */
const wireLength = 60;
/** Pieces of one column begin so near to each other. */
const sameColumn = 20;
/** More would be another layout. */
const mostMoved = 30;

/**
 * All of it goes equally far. `lacks` is by how much that is too little to be clear of the new nodes and of frames;
 * undefined where something is held, or where it would be too much.
 */
export function shoved(
  graph: Graph,
  seeds: ReadonlySet<NodeId>,
  by: Point,
  around: Around,
): Shoved | { lacks: number } | undefined {
  const canvas = new Canvas(graph, by, around);
  for (const id of seeds) canvas.move(id);
  while (canvas.moved.size <= mostMoved && canvas.moveOn());
  if (canvas.moved.size > mostMoved || [...canvas.moved].some((id) => around.held.has(id))) return undefined;
  const lacks = canvas.lacks();
  return lacks > 0 ? { lacks } : canvas.shoved();
}

/** A node or the frame of a group. */
interface Piece {
  node?: NodeId;
  group?: GraphGroup;
  /** None of what is new. */
  was?: Rectangle;
  now: Rectangle;
}

class Canvas {
  readonly moved = new Set<NodeId>();

  private readonly graph: Graph;
  private readonly by: Point;
  private readonly around: Around;
  /** Without the new nodes. */
  private readonly old: Graph;
  private readonly boxes: ReadonlyMap<NodeId, Rectangle>;
  /** From node to node, directly and through new ones. */
  private readonly links: readonly { source: NodeId; target: NodeId; isDirect: boolean }[];
  /** Moved groups without nodes. */
  private readonly emptied = new Set<GraphGroup>();

  constructor(graph: Graph, by: Point, around: Around) {
    this.graph = graph;
    this.by = by;
    this.around = around;
    this.old = { ...graph, nodes: graph.nodes.filter(({ id }) => !around.added.has(id)) };
    this.boxes = new Map(this.old.nodes.map((node) => [node.id, drawn(node)]));
    this.links = this.old.nodes.flatMap((node) =>
      [...metBackwards(graph, around.added, sourcesOf(node))]
        .filter((source) => !around.added.has(source))
        .map((source) => ({ source, target: node.id, isDirect: sourcesOf(node).includes(source) })),
    );
  }

  move(id: NodeId): void {
    if (this.boxes.has(id)) this.moved.add(id);
  }

  /** Whether more had to be moved. */
  moveOn(): boolean {
    const before = this.moved.size + this.emptied.size;
    for (const group of this.graph.groups)
      if (this.isMoved(group)) for (const id of group.nodes) this.move(id);
    const pieces = this.pieces();
    const movers = pieces.filter(isElsewhere);
    for (const piece of pieces)
      if (!isElsewhere(piece) && movers.some((mover) => this.isMet(mover, piece))) this.moveAway(piece);
    if (this.by.x !== 0) this.keepWires();
    if (this.by.x < 0) this.keepColumns(pieces);
    for (const { id } of notesAt(this.old, this.moved)) this.move(id);
    return this.moved.size + this.emptied.size > before;
  }

  lacks(): number {
    const pieces = this.pieces();
    const fixed = pieces.filter((piece) => piece.was === undefined || (piece.group && isElsewhere(piece)));
    const short = fixed.flatMap((one) =>
      pieces.flatMap((other) => (this.isMet(one, other) ? [this.between(one.now, other.now)] : [])),
    );
    return Math.max(0, ...short);
  }

  shoved(): Shoved {
    const frames = [...this.frames()].map(
      ([group, frame]) => [this.graph.groups.indexOf(group), frame] as const,
    );
    const moved = [...this.boxes].filter(([id]) => this.moved.has(id));
    return {
      positions: new Map(
        moved.map(([id, { x, y }]) => [id, { x: x + this.by.x, y: y + this.by.y + titleHeight }]),
      ),
      frames: new Map(frames),
    };
  }

  /** As a whole. */
  private isMoved = (group: GraphGroup) =>
    this.emptied.has(group) || (!this.around.torn.has(group) && group.nodes.some((id) => this.moved.has(id)));

  private moveAway({ node, group }: Piece): void {
    if (node !== undefined) this.move(node);
    else if (group && !this.around.torn.has(group) && !this.around.homes.has(group)) {
      if (group.nodes.length === 0) this.emptied.add(group);
      for (const id of group.nodes) this.move(id);
    }
  }

  private pieces(): Piece[] {
    const frames = this.frames();
    return [
      ...[...this.around.news].map(([node, now]): Piece => ({ node, now })),
      ...[...this.boxes].map(
        ([node, was]): Piece => ({ node, was, now: this.moved.has(node) ? shifted(was, this.by) : was }),
      ),
      ...this.graph.groups.flatMap((group): Piece[] =>
        group.bounds ? [{ group, was: group.bounds, now: frames.get(group) ?? group.bounds }] : [],
      ),
    ];
  }

  /** Those that are elsewhere or larger. */
  private frames(): ReadonlyMap<GraphGroup, Rectangle> {
    const frames = new Map<GraphGroup, Rectangle>();
    for (const group of innerFirst(this.graph.groups)) {
      if (!group.bounds) continue;
      const frame = this.isMoved(group) ? shifted(group.bounds, this.by) : group.bounds;
      const own = this.isMoved(group)
        ? []
        : group.nodes.flatMap((id) => (this.moved.has(id) ? (this.boxes.get(id) ?? []) : []));
      const inner = [...frames].flatMap(([each, box]) => (isGroupWithin(each, group) ? [box] : []));
      const news = this.around.homes.has(group) ? [...this.around.news.values()] : [];
      const grown = frameGrown(frame, [...own.map((box) => shifted(box, this.by)), ...inner, ...news]);
      if (grown !== group.bounds) frames.set(group, grown);
    }
    return frames;
  }

  /** Whether one comes to lie on the other, and did not so far. */
  private isMet(mover: Piece, other: Piece): boolean {
    if (mover === other || this.holds(mover, other) || this.holds(other, mover)) return false;
    const lay = mover.was && other.was && overlaps(mover.was, other.was, apart);
    return !lay && overlaps(mover.now, other.now, apart);
  }

  private holds({ group, now: frame }: Piece, { node, group: inner, now: box }: Piece): boolean {
    if (!group) return false;
    if (inner) return isGroupWithin(inner, group);
    if (node === undefined) return false;
    const isNewThere = this.around.news.has(node) && (this.around.homes.has(group) || contains(frame, box));
    return isNewThere || group.nodes.includes(node);
  }

  /** How far the other would have to go on to be clear of it. */
  private between(one: Rectangle, other: Rectangle): number {
    const { x, y } = this.by;
    if (x > 0) return one.x + one.width + apart - other.x;
    if (x < 0) return other.x + other.width + apart - one.x;
    return y > 0 ? one.y + one.height + apart - other.y : other.y + other.height + apart - one.y;
  }

  /** What a wire leads to, or comes from, goes along before that runs back or becomes short; what stands under it, too. */
  private keepWires(): void {
    for (const { source, target, isDirect } of this.links) {
      const [from, to] = [this.boxes.get(source), this.boxes.get(target)];
      const isFrom = this.moved.has(source);
      if (!from || !to || isFrom === this.moved.has(target)) continue;
      const length = to.x - from.x - from.width;
      const isStacked = length < 0 && to.x + to.width > from.x;
      const [mover, other] = isFrom ? [source, target] : [target, source];
      if (isStacked && this.isInWiderGroup(other, mover)) continue;
      const isAlong = isFrom === this.by.x > 0;
      const isShort = length >= 0 && length - Math.abs(this.by.x) < Math.min(length, wireLength);
      const isLeft = isAlong && isDirect && length < 0 && this.isUnderMoved(isFrom ? to : from);
      if (isLeft || (isStacked ? isDirect || isAlong : isAlong && isShort)) this.move(other);
    }
  }

  /** One that begins left of the other's column, and would go along with all that is in it. */
  private isInWiderGroup(id: NodeId, mover: NodeId): boolean {
    const { x = 0 } = this.boxes.get(mover) ?? {};
    return this.graph.groups.some(
      ({ nodes, bounds }) =>
        nodes.includes(id) && !nodes.includes(mover) && bounds && bounds.x < x - sameColumn,
    );
  }

  /** Or above. */
  private isUnderMoved({ x, width }: Rectangle): boolean {
    return [...this.boxes].some(
      ([id, other]) => this.moved.has(id) && other.x < x + width && x < other.x + other.width,
    );
  }

  /** What begins where groups and loose nodes begin that move back stays in a column with them. */
  private keepColumns(pieces: readonly Piece[]): void {
    const isTop = ({ node, group }: Piece) =>
      this.graph.groups.every((other) =>
        group ? !isGroupWithin(group, other) : !other.nodes.includes(node ?? ""),
      );
    const tops = pieces.filter((piece) => piece.was && isTop(piece));
    for (const piece of tops)
      for (const mover of tops)
        if (isElsewhere(mover) && !isElsewhere(piece) && isAligned(mover, piece)) this.moveAway(piece);
  }
}

function isAligned({ was: one }: Piece, { was: other }: Piece): boolean {
  return one !== undefined && other !== undefined && Math.abs(one.x - other.x) <= sameColumn;
}

function isElsewhere({ was, now }: Piece): boolean {
  return was !== now;
}
