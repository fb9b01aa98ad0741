/** Nodes that a frame shall be drawn around: where it would hold or cut others, the fewest nodes move. */

import { arrange } from "./arrange";
import { frameAround } from "./frames";
import { type Boxes, FrameTogether } from "./frameTogether";
import { nearestFree } from "./freePlace";
import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { moveCost } from "./moveCost";
import { boxesOf, contains, outline, overlaps, titleHeight } from "./placement";
import { turnsWireBack } from "./wires";

export interface Gathering {
  /** Of the nodes that move. */
  positions: ReadonlyMap<NodeId, Point>;
  frame: Rectangle;
  /** New bounds of the frames within it and of those that it lies in, by the places of their groups. */
  groups: ReadonlyMap<number, Rectangle>;
  /** The groups within it that went with their nodes, as they were. */
  carried: readonly Carried[];
}

export interface Carried {
  group: GraphGroup;
  by: Point;
}

/** Those to nodes outside run back at times whatever is moved. */
type Wires = "all forward" | "forward within";

const gap = 20;
/** So many ways to choose the nodes that move are tried, and of those that will do so many are compared. */
const mostChoices = 300;
const mostFound = 8;

/** Where some have to move, those of `added` do first: they are new. */
export function broughtTogether(
  graph: Graph,
  ids: readonly NodeId[],
  added: ReadonlySet<NodeId> = new Set(),
): Gathering {
  const canvas = new Canvas(graph, ids, added);
  const moved = canvas.cheapestMoves();
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

class Canvas extends FrameTogether {
  private readonly isNew: (id: NodeId) => boolean;

  constructor(graph: Graph, ids: readonly NodeId[], added: ReadonlySet<NodeId>) {
    super(graph, ids);
    this.isNew = (id) => added.has(id);
  }

  /** The new boxes of nodes. Those that were there move only where none of the new ones can. */
  cheapestMoves(): Boxes {
    const none: Boxes = new Map();
    const inTheWay = this.inTheWay(none);
    if (this.isClear(none)) return none;
    const news = this.members.filter(({ id }) => this.isNew(id));
    const areNew = news.length === this.members.length;
    const ofNew = [
      ...this.fewestOf(news),
      ...(inTheWay.every(({ id }) => this.isNew(id)) ? this.othersMoved(inTheWay) : []),
      ...(areNew ? this.allMoved() : []),
    ];
    const ways =
      ofNew.length > 0
        ? ofNew
        : [...this.fewestOf(this.members), ...this.othersMoved(inTheWay), ...this.allMoved()];
    return this.cheapest(ways) ?? none;
  }

  private cheapest(ways: readonly Boxes[]): Boxes | undefined {
    const isNamed = (id: NodeId) => this.members.some((node) => node.id === id);
    const all = ways.map((moved) => ({ moved, cost: moveCost(this.graph, moved, this.isNew, isNamed) }));
    return all.sort((one, other) => one.cost - other.cost)[0]?.moved;
  }

  /** As few of these as will do, with all wires forward and with those to others as they come. */
  private *fewestOf(nodes: readonly GraphNode[]): Generator<Boxes> {
    const loose = nodes.filter(this.isLoose);
    for (const wires of ["all forward", "forward within"] as const)
      for (let count = 1; count <= Math.min(loose.length, this.members.length - 1); count++) {
        const moved = this.membersMoved(loose, count, wires);
        if (!moved) continue;
        yield moved;
        break;
      }
  }

  /** Whether no other group is torn by moving it. */
  private isLoose = ({ id }: GraphNode) =>
    this.graph.groups.every((group) => !group.nodes.includes(id) || this.outer.includes(group));

  /** So many of these next to their fellows, if that will do. */
  private membersMoved(loose: readonly GraphNode[], count: number, wires: Wires): Boxes | undefined {
    const found: Boxes[] = [];
    for (const leaving of choicesOf(loose, count)) {
      if (found.length >= mostFound) break;
      const rest = this.members.filter((node) => !leaving.includes(node));
      if (!this.isClear(new Map(), rest)) continue;
      let moved: Boxes | undefined = new Map();
      for (const [index, node] of leaving.entries()) {
        if (!moved) break;
        const placed = [...rest, ...leaving.slice(0, index + 1)];
        const before: Boxes = moved;
        const found = this.freePlace(
          node,
          before,
          this.boxesBut(leaving.slice(index), before),
          wires,
          (place) => {
            const after = new Map(before).set(node.id, place);
            return this.isClear(after, placed) && this.isWellIn(after, placed);
          },
        );
        moved = found && new Map(before).set(node.id, found);
      }
      if (moved) found.push(moved);
    }
    return this.cheapest(found);
  }

  /** Those in the way out of it, unless they belong to a group. */
  private *othersMoved(inTheWay: readonly GraphNode[]): Generator<Boxes> {
    const isGrouped = ({ id }: GraphNode) => this.foreign.some(({ nodes }) => nodes.includes(id));
    if (inTheWay.some(isGrouped)) return;
    const frame = frameAround(this.members.map(outline));
    for (const wires of ["all forward", "forward within"] as const) {
      let moved: Boxes | undefined = new Map();
      for (const [index, node] of inTheWay.entries()) {
        if (!moved) break;
        const before: Boxes = moved;
        const obstacles = [frame, ...this.boxesBut(inTheWay.slice(index), before)];
        const found = this.freePlace(node, before, obstacles, wires);
        moved = found && new Map(before).set(node.id, found);
      }
      if (moved && this.isClear(moved)) yield moved;
    }
  }

  /** All members at the nearest free place, laid out, and as they lie to one another. */
  private allMoved(): Boxes[] {
    const ids = this.members.map(({ id }) => id);
    const inside = { ...this.graph, nodes: [...this.members], groups: [...this.inner] };
    const { positions } = arrange(inside, ids);
    return [this.movedAs(boxesOf(this.members, positions)), this.movedAs(boxesOf(this.members))].flat();
  }

  private movedAs(laidOut: Boxes): Boxes[] {
    const frame = frameAround([...laidOut.values(), ...this.innerFrames(laidOut, this.members).values()]);
    const at = ({ x, y }: Point): Boxes =>
      new Map(
        [...laidOut].map(([id, box]) => [id, { ...box, x: box.x + x - frame.x, y: box.y + y - frame.y }]),
      );
    const obstacles = [...this.others.map(outline), ...this.frames(), ...this.tornFrames()];
    const fits = (place: Rectangle) => this.isWellIn(at(place), this.members);
    const isForward = (place: Rectangle) => !turnsWireBack(this.graph, at(place));
    const forward = nearestFree(frame, obstacles, {
      gap,
      fits: (place) => isForward(place) && fits(place),
    });
    const near = nearestFree(frame, obstacles, { gap, fits }) ?? below(frame, obstacles);
    return [...(forward ? [at(forward)] : []), at(near)];
  }

  /** Where no wire runs back that did not so far, or none between members. */
  private freePlace(
    node: GraphNode,
    moved: Boxes,
    obstacles: readonly Rectangle[],
    wires: Wires,
    fits: (place: Rectangle) => boolean = () => true,
  ): Rectangle | undefined {
    const wired = wires === "all forward" ? this.graph : { ...this.graph, nodes: [...this.members] };
    return nearestFree(outline(node), obstacles, {
      gap,
      fits: (place) =>
        fits(place) &&
        this.tornFrames().every((frame) => !overlaps(frame, place) || contains(frame, place)) &&
        !turnsWireBack(wired, new Map(moved).set(node.id, place)),
    });
  }
}

function below(box: Rectangle, obstacles: readonly Rectangle[]): Point {
  return { x: box.x, y: Math.max(...obstacles.map(({ y, height }) => y + height)) + gap };
}

/** Some of the ways to choose so many. */
function choicesOf<Each>(all: readonly Each[], count: number): Each[][] {
  const choices: Each[][] = [];
  const choose = (from: number, chosen: Each[]): void => {
    if (choices.length >= mostChoices) return;
    if (chosen.length === count) choices.push(chosen);
    else
      for (let index = from; index < all.length; index++) choose(index + 1, [...chosen, all[index] as Each]);
  };
  choose(0, []);
  return choices;
}
