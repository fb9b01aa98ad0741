/** Nodes that a frame shall be drawn around: where it would hold or cut others, the fewest nodes move. */

import { arrange } from "./arrange";
import { innerFirst } from "./blocks";
import { frameAround, frameGrown, framePadding, isGroupWithin } from "./frames";
import { nearestFree } from "./freePlace";
import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { bounds, contains, outline, overlaps, titleHeight } from "./placement";
import { turnsWireBack } from "./wires";

export interface Gathering {
  /** Of the nodes that move. */
  positions: ReadonlyMap<NodeId, Point>;
  frame: Rectangle;
  /** New bounds of the frames within it and of those that it lies in, by the places of their groups. */
  groups: ReadonlyMap<number, Rectangle>;
}

type Boxes = ReadonlyMap<NodeId, Rectangle>;
/** Those to nodes outside run back at times whatever is moved. */
type Wires = "all forward" | "forward within";

const gap = 20;
/** What the title of a group and its sides take at least, where something stands close. */
const leastHeading = 24;
const leastPadding = 2;
/** So many ways to choose the nodes that move are tried. */
const mostChoices = 300;

export function broughtTogether(graph: Graph, ids: readonly NodeId[]): Gathering {
  const canvas = new Canvas(graph, ids);
  const moved = canvas.fewestMoves();
  const frame = canvas.frameWith(moved);
  return {
    positions: new Map([...moved].map(([id, { x, y }]) => [id, { x, y: y + titleHeight }])),
    frame,
    groups: canvas.otherFrames(moved, frame),
  };
}

class Canvas {
  private readonly graph: Graph;
  private readonly members: readonly GraphNode[];
  private readonly others: readonly GraphNode[];
  /** Frames that lie wholly in the new one, and those that have nothing to do with it. */
  private readonly inner: readonly GraphGroup[];
  private readonly foreign: readonly GraphGroup[];
  /** Those that hold all members, and others. */
  private readonly outer: readonly GraphGroup[];

  constructor(graph: Graph, ids: readonly NodeId[]) {
    const isMember = ({ id }: GraphNode) => ids.includes(id);
    this.graph = graph;
    this.members = graph.nodes.filter(isMember);
    this.others = graph.nodes.filter((node) => !isMember(node));
    this.inner = graph.groups.filter(
      ({ nodes }) => nodes.length > 0 && nodes.every((id) => ids.includes(id)),
    );
    this.outer = graph.groups.filter(
      (group) => !this.inner.includes(group) && this.members.every(({ id }) => group.nodes.includes(id)),
    );
    this.foreign = graph.groups.filter(({ nodes }) => !nodes.some((id) => ids.includes(id)));
  }

  /** The new boxes of nodes. */
  fewestMoves(): Boxes {
    const none: Boxes = new Map();
    const inTheWay = this.inTheWay(none);
    if (inTheWay.length === 0) return none;
    const most = Math.min(inTheWay.length, this.members.length - 1);
    const fewest = (wires: Wires) => {
      for (let count = 1; count <= most; count++) {
        const moved = this.membersMoved(count, wires);
        if (moved) return moved;
      }
      return undefined;
    };
    const isFewer = inTheWay.length < this.members.length;
    return (
      fewest("all forward") ??
      (isFewer ? this.othersMoved(inTheWay) : undefined) ??
      fewest("forward within") ??
      this.allMoved()
    );
  }

  otherFrames(moved: Boxes, frame: Rectangle): Map<number, Rectangle> {
    const outer = this.outer.flatMap((group) => {
      const grown = group.bounds && overlaps(group.bounds, frame) && frameGrown(group.bounds, [frame]);
      return grown && this.isFreeFor(group, grown, moved) ? [[group, grown] as const] : [];
    });
    const all = [...this.innerFrames(moved, this.members), ...outer];
    return new Map(
      all.flatMap(([group, box]) =>
        group.bounds && isSameBox(group.bounds, box) ? [] : [[this.graph.groups.indexOf(group), box]],
      ),
    );
  }

  /** Whether the new frame lies in each that holds all members now, or where that can grow, or apart from it. */
  private isWellIn(moved: Boxes, members: readonly GraphNode[]): boolean {
    const frame = this.frameWith(moved, members);
    return this.outer.every(
      (group) =>
        !group.bounds ||
        !overlaps(group.bounds, frame) ||
        this.isFreeFor(group, frameGrown(group.bounds, [frame]), moved),
    );
  }

  private isFreeFor({ nodes, bounds: before }: GraphGroup, grown: Rectangle, moved: Boxes): boolean {
    return !this.others.some((node) => {
      const box = moved.get(node.id) ?? outline(node);
      return !nodes.includes(node.id) && overlaps(grown, box) && !(before && overlaps(before, box));
    });
  }

  /** As they were drawn, where their nodes keep their places to one another. */
  private innerFrames(moved: Boxes, members: readonly GraphNode[]): Map<GraphGroup, Rectangle> {
    const frames = new Map<GraphGroup, Rectangle>();
    for (const group of innerFirst(this.inner)) {
      const nodes = members.filter(({ id }) => group.nodes.includes(id));
      if (nodes.length < group.nodes.length) continue;
      const shifts = nodes.map((node) => {
        const [{ x, y }, now] = [outline(node), moved.get(node.id) ?? outline(node)];
        return { x: now.x - x, y: now.y - y };
      });
      const [by = { x: 0, y: 0 }] = shifts;
      const isKept = shifts.every(({ x, y }) => x === by.x && y === by.y);
      const within = [
        ...nodes.map((node) => moved.get(node.id) ?? outline(node)),
        ...[...frames].flatMap(([each, box]) => (isGroupWithin(each, group) ? [box] : [])),
      ];
      const { bounds: drawn } = group;
      frames.set(
        group,
        drawn && isKept ? { ...drawn, x: drawn.x + by.x, y: drawn.y + by.y } : frameAround(within),
      );
    }
    return frames;
  }

  /** Around the members, closer to them where others stand close by. */
  frameWith(moved: Boxes, members = this.members): Rectangle {
    const boxes = members.map((node) => moved.get(node.id) ?? outline(node));
    const frames = this.innerFrames(moved, members).values();
    const core = bounds([...boxes, ...frames]);
    const usual = frameAround([core]);
    const close = this.others
      .map((node) => moved.get(node.id) ?? outline(node))
      .filter((box) => overlaps(box, usual) && !overlaps(box, core));
    const side = (usual: number, least: number, edges: readonly number[]) =>
      Math.max(least, Math.min(usual, ...edges.filter((room) => room >= least)));
    const [right, bottom] = [core.x + core.width, core.y + core.height];
    const left = side(
      framePadding,
      leastPadding,
      close.map((box) => core.x - box.x - box.width),
    );
    const top = side(
      core.y - usual.y,
      leastHeading,
      close.map((box) => core.y - box.y - box.height),
    );
    const beyond = side(
      framePadding,
      leastPadding,
      close.map((box) => box.x - right),
    );
    const below = side(
      framePadding,
      leastPadding,
      close.map((box) => box.y - bottom),
    );
    return {
      x: core.x - left,
      y: core.y - top,
      width: core.width + left + beyond,
      height: core.height + top + below,
    };
  }

  /** Whether no other group is torn by moving it. */
  private isLoose = ({ id }: GraphNode) =>
    this.graph.groups.every((group) => !group.nodes.includes(id) || this.outer.includes(group));

  /** The others that the frame around these would hold or cut. */
  private inTheWay(moved: Boxes, members = this.members): GraphNode[] {
    const frame = this.frameWith(moved, members);
    return this.others.filter((node) => overlaps(frame, moved.get(node.id) ?? outline(node)));
  }

  /** So many of the members next to their fellows, if that will do. */
  private membersMoved(count: number, wires: Wires): Boxes | undefined {
    for (const leaving of choicesOf(this.members.filter(this.isLoose), count)) {
      const rest = this.members.filter((node) => !leaving.includes(node));
      if (this.inTheWay(new Map(), rest).length > 0) continue;
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
            return this.inTheWay(after, placed).length === 0 && this.isWellIn(after, placed);
          },
        );
        moved = found && new Map(before).set(node.id, found);
      }
      if (moved) return moved;
    }
    return undefined;
  }

  /** Those in the way out of it, unless they belong to a group. */
  private othersMoved(inTheWay: readonly GraphNode[]): Boxes | undefined {
    const isGrouped = ({ id }: GraphNode) => this.foreign.some(({ nodes }) => nodes.includes(id));
    if (inTheWay.some(isGrouped)) return undefined;
    const frame = frameAround(this.members.map(outline));
    let moved: Boxes = new Map();
    for (const node of inTheWay) {
      const left = inTheWay.slice(inTheWay.indexOf(node));
      const found = this.freePlace(node, moved, [frame, ...this.boxesBut(left, moved)], "all forward");
      if (!found) return undefined;
      moved = new Map(moved).set(node.id, found);
    }
    return this.inTheWay(moved).length === 0 ? moved : undefined;
  }

  /** All members, laid out, at the nearest free place. */
  private allMoved(): Boxes {
    const ids = this.members.map(({ id }) => id);
    const inside = { ...this.graph, nodes: [...this.members], groups: [...this.inner] };
    const { positions } = arrange(inside, ids);
    const laidOut = new Map(
      this.members.map((node) => [
        node.id,
        outline({ ...node, position: positions.get(node.id) ?? node.position }),
      ]),
    );
    const frame = frameAround([...laidOut.values(), ...this.innerFrames(laidOut, this.members).values()]);
    const at = ({ x, y }: Point): Boxes =>
      new Map(
        [...laidOut].map(([id, box]) => [id, { ...box, x: box.x + x - frame.x, y: box.y + y - frame.y }]),
      );
    const obstacles = [...this.others.map(outline), ...this.frames(), ...this.tornFrames()];
    const fits = (place: Rectangle) => this.isWellIn(at(place), this.members);
    const isForward = (place: Rectangle) => !turnsWireBack(this.graph, at(place));
    const found =
      nearestFree(frame, obstacles, { gap, fits: (place) => isForward(place) && fits(place) }) ??
      nearestFree(frame, obstacles, { gap, fits });
    return at(found ?? below(frame, obstacles));
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

  /** Of nodes but these, and of frames that have nothing to do with the members. */
  private boxesBut(nodes: readonly GraphNode[], moved: Boxes): Rectangle[] {
    const rest = this.graph.nodes.filter((node) => !nodes.includes(node));
    return [...rest.map((node) => moved.get(node.id) ?? outline(node)), ...this.frames()];
  }

  /** Of groups that have some of the members, and others. */
  private tornFrames(): Rectangle[] {
    const known = [...this.foreign, ...this.inner, ...this.outer];
    const isTorn = (group: GraphGroup) => !known.includes(group);
    return this.graph.groups.flatMap((group) => (group.bounds && isTorn(group) ? [group.bounds] : []));
  }

  private frames(): Rectangle[] {
    return this.foreign.flatMap(({ bounds: drawn, nodes }) => {
      if (drawn) return [drawn];
      const inside = this.graph.nodes.filter(({ id }) => nodes.includes(id));
      return inside.length > 0 ? [frameAround(inside.map(outline))] : [];
    });
  }
}

function isSameBox(one: Rectangle, other: Rectangle): boolean {
  return contains(one, other) && contains(other, one);
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
