/** Places for new nodes: right of what feeds them, clear of everything that is there, and nothing else moves. */

import { isLoader, loadersBeside, twinsOf } from "./alikeNodes";
import { arrange } from "./arrange";
import { findNode, type Graph, type GraphNode, type NodeId, type Point, type Rectangle } from "./graph";
import { Occupied } from "./occupied";
import { bounds, boxesOf, contains, isInside, outline, overlaps, titleHeight } from "./placement";
import { parts, sourcesFirst } from "./placingOrder";
import { runsBack, wiresCost } from "./wires";

const grid = 10;
/** Between columns where there is room for it, and the least between any two nodes. */
const columnGap = 60;
const gap = 20;
/** How much more it costs when a link has to run back than when a node is that much further away. */
const backwards = 2;
/** How much more it costs to stand above than below. */
const upwards = 1.2;
/** How much more it costs what shares a place with another, and loaders, to stand beside it than under it. */
const outOfColumn = 3;
/** Places that are looked at; in large graphs those further away are not worth the time. */
const mostColumns = 32;
const mostRows = 300;

/**
 * `added` are in the graph with their links. Those that took the place of another node have its box. Without `hasBranches`
 * all of them lead to what has its place later. What leads back to one of the `ends` alone stands before that.
 */
export function placeAdded(
  graph: Graph,
  added: ReadonlyMap<NodeId, Rectangle | undefined>,
  {
    hasBranches = true,
    ends = new Set<NodeId>(),
  }: { hasBranches?: boolean; ends?: ReadonlySet<NodeId> | undefined } = {},
): Map<NodeId, Point> {
  const canvas = new Canvas(graph, added, { hasBranches, ends });
  for (const [id, box] of added) if (box) canvas.replace(id, box);
  const order = sourcesFirst(graph, [...added.keys()]);
  for (let before = -1; before !== canvas.placed.size; ) {
    before = canvas.placed.size;
    for (const id of order) if (canvas.isFed(id)) canvas.putRight(id);
    if (order.some((id) => canvas.isFed(id))) continue;
    const rest = order.filter((id) => canvas.isOpen(id)).reverse();
    // One branch at a time, since what it feeds may be fed by others that are open.
    const used = rest.filter((id) => canvas.isUsed(id));
    // Loaders are read from above.
    const next = used.every((id) => canvas.isLoader(id)) ? used.at(-1) : used[0];
    if (next !== undefined) canvas.putBranch(next);
  }
  for (const part of parts(
    graph,
    order.filter((id) => canvas.isOpen(id)),
  ))
    canvas.putApart(part);
  return canvas.placed;
}

class Canvas {
  readonly placed = new Map<NodeId, Point>();

  private readonly boxes = new Map<NodeId, Rectangle>();
  private readonly occupied = new Occupied();
  private readonly open: Set<NodeId>;
  private readonly sources = new Map<NodeId, NodeId[]>();
  private readonly targets = new Map<NodeId, NodeId[]>();
  private readonly graph: Graph;

  private readonly hasBranches: boolean;
  private readonly ends: ReadonlySet<NodeId>;

  constructor(
    graph: Graph,
    added: ReadonlyMap<NodeId, unknown>,
    { hasBranches, ends }: { hasBranches: boolean; ends: ReadonlySet<NodeId> },
  ) {
    this.graph = graph;
    this.hasBranches = hasBranches;
    this.ends = ends;
    this.open = new Set(added.keys());
    for (const node of graph.nodes) {
      if (!this.open.has(node.id)) this.occupy(node.id, outline(node));
      for (const { linkedFrom } of node.inputs)
        if (linkedFrom) {
          this.sources.set(node.id, [...(this.sources.get(node.id) ?? []), linkedFrom.node]);
          this.targets.set(linkedFrom.node, [...(this.targets.get(linkedFrom.node) ?? []), node.id]);
        }
    }
  }

  isOpen = (id: NodeId) => this.open.has(id);
  isFed = (id: NodeId) =>
    this.open.has(id) && this.boxesOf(this.sources, id).length > 0 && !this.leadsBack(id);
  isLoader = (id: NodeId) => isLoader(this.node(id));
  isUsed = (id: NodeId) => this.open.has(id) && this.boxesOf(this.targets, id).length > 0;

  /** Where the other stood, unless it stands there on something, or in a group, that the other did not; in its groups still. */
  replace(id: NodeId, old: Rectangle): void {
    const size = this.sizeOf(id);
    const box = { ...size, x: old.x, y: old.y };
    const inTheWay = [...this.boxes].filter(([, other]) => overlaps(box, other));
    const around = this.groupsOf([id]);
    const joins = around.others.some((group) => isInside(group, box) && !isInside(group, old));
    const lay = ([other, there]: [NodeId, Rectangle]) => !this.isPlaced(other) && overlaps(old, there);
    if (!joins && inTheWay.every(lay)) this.put(id, box);
    else this.put(id, this.nearest(around, box, { ...anywhere, cost: columnCost(box) }));
  }

  /** Right of what feeds it, before what it feeds if there is room; if not, where its wires are best. */
  putRight(id: NodeId): void {
    const size = this.sizeOf(id);
    const sources = this.boxesOf(this.sources, id);
    const left = Math.max(...sources.map(({ x, width }) => x + width));
    // Where the way runs back anyhow, it does so behind the new node.
    const isAhead = ({ x, width }: Rectangle) => sources.every((source) => x + width > source.x);
    const targets = this.boxesOf(this.targets, id).filter(isAhead);
    const right = Math.min(...targets.map(({ x }) => x));
    const ends = this.targetsBehind(id).filter(isAhead);
    const before = this.hasBranches && ends.length === 0 ? this.openBefore(id) : [];
    if (before.length > 1 && !before.some(this.isUsed)) {
      const { inner, whole } = this.laidOut([id, ...before]);
      const wish = { ...whole, x: left + columnGap, y: this.levelOf(id) };
      this.putAll(inner, whole, this.nearest(this.groupsAround(id), wish, { ...anywhere, from: left + gap }));
      return;
    }
    if (ends.some(({ x }) => x - left < size.width + 2 * gap)) {
      this.putAmid(id, sources, ends);
      return;
    }
    const room = (right - left - size.width) / 2;
    const hasTwin = this.hasBranches && ends.length === 0 && !this.sources.get(id)?.some(this.isPlaced);
    const twin = hasTwin ? this.lastOf(twinsOf(this.graph, this.node(id))) : undefined;
    const x = left + Math.min(room, columnGap);
    const y = mean([this.levelOf(id), ...targets.map((box) => box.y)]);
    const wish = twin
      ? { ...size, x: Math.max(twin.x, left + gap), y: twin.y + twin.height + gap }
      : { ...size, x, y };
    this.put(id, this.nearest(this.groupsAround(id), wish, { from: left + gap, to: right - gap }));
  }

  /** There is no room between what feeds it and what it feeds: near both, so that wires run back as little as can be. */
  private putAmid(id: NodeId, sources: readonly Rectangle[], ends: readonly Rectangle[]): void {
    const size = this.sizeOf(id);
    const left = Math.max(...sources.map(({ x, width }) => x + width));
    const back = Math.min(...ends.map(({ x }) => x));
    const wish = {
      ...size,
      x: mean([left + gap, back - gap - size.width]),
      y: mean([this.levelOf(id), ...ends.map((box) => box.y)]),
    };
    const columns = [left + gap, back - gap - size.width, ...[...sources, ...ends].map(({ x }) => x)];
    const cost = ({ x, y }: Point) => wiresCost({ ...size, x, y }, sources, ends) + (x < left ? 1 : 0);
    this.put(id, this.nearest(this.groupsAround(id), wish, { ...anywhere, columns, cost }));
  }

  /** That of the new ones that feed it, or else of what feeds the fewest. */
  private levelOf(id: NodeId): number {
    const all = [...new Set(this.sources.get(id))].filter((source) => this.boxes.has(source));
    const news = all.filter((source) => this.placed.has(source));
    const near = news.length > 0 ? news : all;
    const fed = (source: NodeId) => new Set(this.targets.get(source)).size;
    const fewest = Math.min(...near.map(fed));
    return mean(near.filter((source) => fed(source) === fewest).map((each) => this.boxes.get(each)?.y ?? 0));
  }

  /** To one of the ends and nothing else. */
  private leadsBack(id: NodeId): boolean {
    if (this.ends.size === 0) return false;
    const sources = this.boxesOf(this.sources, id);
    const behind = this.behind(id).filter((each) => !this.isOpen(each));
    const isBack = (end: NodeId) => {
      const box = this.boxes.get(end);
      return this.ends.has(end) && box && sources.some((source) => runsBack(source, box));
    };
    return behind.length > 0 && behind.every(isBack);
  }

  /** Those that have their places, through others that have none yet. */
  private targetsBehind(id: NodeId): Rectangle[] {
    return this.behind(id).flatMap((each) => this.boxes.get(each) ?? []);
  }

  private behind(id: NodeId): NodeId[] {
    const found = new Set<NodeId>();
    const open = [id];
    for (let each = open.pop(); each !== undefined; each = open.pop())
      for (const target of this.targets.get(each) ?? [])
        if (!found.has(target)) {
          found.add(target);
          if (this.isOpen(target)) open.push(target);
        }
    return [...found];
  }

  /** Left of what it feeds, together with all else before that by way of new nodes. */
  putBranch(id: NodeId): void {
    const branch = this.branchOf(id);
    const [, ...others] = branch;
    if (others.length === 0 || branch.every((each) => isLoader(this.node(each)))) {
      this.putLeft(id);
      return;
    }
    const ends = [...new Set(branch.flatMap((each) => this.targets.get(each) ?? []))].filter((each) =>
      this.boxes.has(each),
    );
    const { inner, whole } = this.laidOut(branch, ends);
    const targets = ends.flatMap((end) => this.boxes.get(end) ?? []);
    const right = Math.min(...targets.map(({ x }) => x));
    const wish = { ...whole, x: right - columnGap - whole.width, y: mean(targets.map(({ y }) => y)) };
    const room = { from: Number.NEGATIVE_INFINITY, to: right - gap, isFirm: true };
    this.putAll(inner, whole, this.nearest(this.groupsOf([...branch, ...ends]), wish, room));
  }

  /** Open ones that lead to it. */
  private openBefore(id: NodeId): NodeId[] {
    const found = new Set([id]);
    for (const each of found)
      for (const source of this.sources.get(each) ?? []) if (this.isOpen(source)) found.add(source);
    found.delete(id);
    return [...found];
  }

  /** Open ones that links join, also by way of one that has its place. */
  private branchOf(id: NodeId): NodeId[] {
    const branch = new Set([id]);
    for (const each of branch) {
      const sources = this.sources.get(each) ?? [];
      const targets = this.targets.get(each) ?? [];
      const beside = targets
        .filter((end) => this.boxes.has(end))
        .flatMap((end) => this.sources.get(end) ?? []);
      for (const other of [...sources, ...targets, ...beside]) if (this.isOpen(other)) branch.add(other);
    }
    return [...branch];
  }

  /** Left of what it feeds. */
  private putLeft(id: NodeId): void {
    const size = this.sizeOf(id);
    const targets = this.boxesOf(this.targets, id);
    const right = Math.min(...targets.map(({ x }) => x));
    const old = this.graph.nodes.filter((node) => this.boxes.has(node.id) && !this.isPlaced(node.id));
    const loaders = loadersBeside(old, this.node(id));
    const loader = this.lastOf(loaders.filter(({ position }) => position.x <= right - gap - size.width));
    const wish = loader
      ? { ...size, x: loader.x, y: loader.y + loader.height + gap }
      : { ...size, x: right - columnGap - size.width, y: mean(targets.map((box) => box.y)) };
    this.put(
      id,
      this.nearest(this.groupsAround(id), wish, {
        from: Number.NEGATIVE_INFINITY,
        to: right - gap,
        isFirm: true,
        ...(loader && { cost: columnCost(wish) }),
      }),
    );
  }

  /** Nodes that no link joins to the others: laid out as one, beside what was selected or added last. */
  putApart(ids: readonly NodeId[]): void {
    const { inner, whole } = this.laidOut(ids);
    const anchor = this.boxes.get(this.graph.selection[0] ?? "") ?? [...this.boxes.values()].at(-1);
    const wish = anchor
      ? { ...whole, x: anchor.x + anchor.width + columnGap, y: anchor.y }
      : { ...whole, x: 0, y: 0 };
    const found = anchor
      ? this.nearest(this.groupsOf([]), wish, {
          from: anchor.x + anchor.width + gap,
          to: Number.POSITIVE_INFINITY,
        })
      : wish;
    this.putAll(inner, whole, found);
  }

  /** By themselves, before some others; of a column, in the order of the slots that they feed. */
  private laidOut(ids: readonly NodeId[], ends: readonly NodeId[] = []) {
    const inSlotOrder = sourcesFirst(this.graph, [...ends, ...ids]);
    const all = [...inSlotOrder.filter((id) => !ends.includes(id)), ...ends];
    const nodes = all.map((id) => ({ ...this.node(id), position: { x: 0, y: 0 } }));
    const { positions } = arrange({ ...this.graph, nodes, groups: [] }, all);
    const inner = boxesOf(ids.map(this.node), positions);
    return { inner, whole: bounds([...inner.values()]) };
  }

  private putAll(inner: ReadonlyMap<NodeId, Rectangle>, whole: Rectangle, { x, y }: Point): void {
    for (const [id, box] of inner) this.put(id, { ...box, x: x + box.x - whole.x, y: y + box.y - whole.y });
  }

  private isPlaced = (id: NodeId) => this.placed.has(id);

  /** The lowest of them. */
  private lastOf(nodes: readonly GraphNode[]): Rectangle | undefined {
    const boxes = nodes.flatMap(({ id }) => (this.isPlaced(id) ? [] : (this.boxes.get(id) ?? [])));
    return boxes.sort((one, other) => one.y - other.y).at(-1);
  }

  private node = (id: NodeId) => findNode(this.graph, id) as GraphNode;

  private sizeOf(id: NodeId) {
    const { width, height } = outline(this.node(id));
    return { width, height };
  }

  private boxesOf(links: ReadonlyMap<NodeId, readonly NodeId[]>, id: NodeId): Rectangle[] {
    return [...new Set(links.get(id))].flatMap((other) => this.boxes.get(other) ?? []);
  }

  private put(id: NodeId, box: Rectangle): void {
    this.open.delete(id);
    this.occupy(id, box);
    this.placed.set(id, { x: box.x, y: box.y + titleHeight });
  }

  private occupy(id: NodeId, box: Rectangle): void {
    this.boxes.set(id, box);
    this.occupied.add(box);
  }

  private nearest(
    { groups, others }: Groups,
    wish: Rectangle,
    { from, to, isFirm = false, columns: more = [], cost: ownCost }: Room,
  ): Rectangle {
    const obstacles = [...this.boxes.values(), ...others];
    const isTaken = (box: Rectangle) =>
      this.occupied.isAt(box, gap - grid) || others.some((other) => overlaps(box, other, gap - grid));
    const { width, height } = wish;
    const columns = nearestTo(wish.x, mostColumns, [
      ...obstacles.flatMap((other) => [other.x + other.width + gap, other.x - gap - width]),
      ...groups.flatMap((group) => [group.x + group.width + gap, group.x + gap]),
      ...more,
    ]).filter((x) => x >= from && (!isFirm || x + width <= to));
    const rows = nearestTo(wish.y, mostRows, [
      ...obstacles.flatMap((other) => [other.y + other.height + gap, other.y - gap - height]),
      ...groups.flatMap((group) => [group.y + group.height + gap, group.y + titleHeight + gap]),
    ]);
    const farCost = ({ x, y }: Point) =>
      Math.abs(x - wish.x) +
      Math.abs(y - wish.y) * (y < wish.y ? upwards : 1) +
      Math.max(0, x + width - to) * backwards;
    const cost = ownCost ?? farCost;
    const places = columns
      .flatMap((x) => rows.map((y) => ({ x, y })))
      .map((place) => ({ place, cost: cost(place) }))
      .sort((a, b) => a.cost - b.cost);
    for (const { place } of places) {
      const box = { ...onGrid(place, isFirm), width, height };
      const isCut = groups.some(
        (group) => overlaps(box, group, gap - grid) && !contains(belowTitle(group), box),
      );
      if (!isCut && !isTaken(box)) return box;
    }
    const below = Math.max(...[...obstacles, ...groups].map(({ y, height: tall }) => y + tall)) + columnGap;
    return { ...onGrid({ x: wish.x, y: below }, isFirm), width, height };
  }

  /** Groups in which it has no neighbour are kept clear of as nodes are; the others have it wholly or not at all. */
  private groupsAround(id: NodeId): Groups {
    return this.groupsOf([id, ...(this.sources.get(id) ?? []), ...(this.targets.get(id) ?? [])]);
  }

  private groupsOf(near: readonly NodeId[]): Groups {
    const groups: Rectangle[] = [];
    const others: Rectangle[] = [];
    const boxes = near.flatMap((id) => this.boxes.get(id) ?? []);
    for (const { bounds: frame, nodes } of this.graph.groups) {
      if (!frame) continue;
      // New nodes that have their places are in no group's list.
      const isNear =
        nodes.some((member) => near.includes(member)) || boxes.some((box) => isInside(frame, box));
      (isNear ? groups : others).push(frame);
    }
    return { groups, others };
  }
}

/** Where a place is looked for. */
interface Room {
  from: number;
  to: number;
  /** Whether `to` is not to be passed. */
  isFirm?: boolean;
  /** Looked at besides those that obstacles leave. */
  columns?: readonly number[];
  /** In place of how far it is from where it should be. */
  cost?: (place: Point) => number;
}

/** Of a place for what had better stand in the column of another. */
function columnCost(wish: Point): (place: Point) => number {
  return ({ x, y }) => Math.abs(x - wish.x) * outOfColumn + Math.abs(y - wish.y) * (y < wish.y ? upwards : 1);
}

const anywhere = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** Those with one of some nodes in them, and the others. */
interface Groups {
  groups: readonly Rectangle[];
  others: readonly Rectangle[];
}

function onGrid({ x, y }: Point, isLeftward: boolean): Point {
  return { x: (isLeftward ? Math.floor : Math.ceil)(x / grid) * grid, y: Math.ceil(y / grid) * grid };
}

/** What of a frame its title leaves free. */
function belowTitle({ y, height, ...frame }: Rectangle): Rectangle {
  return { ...frame, y: y + titleHeight, height: height - titleHeight };
}

function nearestTo(wish: number, most: number, values: readonly number[]): number[] {
  const distance = (value: number) => Math.abs(value - wish);
  const all = [...new Set([wish, ...values])];
  const furthest = Float64Array.from(all, distance).sort()[most - 1] ?? Number.POSITIVE_INFINITY;
  return all
    .filter((value) => distance(value) <= furthest)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, most);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
