/** The frame around nodes that are brought together, and what it means for the others and for theirs. */

import { innerFirst } from "./blocks";
import { frameAround, frameGrown, frameHeading, framePadding, isGroupWithin } from "./frames";
import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { bounds, contains, outline, overlaps } from "./placement";

/** Of nodes that have moved. */
export type Boxes = ReadonlyMap<NodeId, Rectangle>;

/** What the title of a group and its sides take at least, where something stands close. */
const leastHeading = 24;
const leastPadding = 2;
/** What lies between two frames, and between a frame and a node outside, as far as there is room. */
export const frameGap = 20;
export const nodeGap = 5;

export class FrameTogether {
  protected readonly graph: Graph;
  protected readonly members: readonly GraphNode[];
  protected readonly others: readonly GraphNode[];
  /** Frames that lie wholly in the new one, and those that have nothing to do with it. */
  protected readonly inner: readonly GraphGroup[];
  protected readonly foreign: readonly GraphGroup[];
  /** Those that hold all members, and others. */
  protected readonly outer: readonly GraphGroup[];

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

  otherFrames(moved: Boxes, frame: Rectangle): Map<number, Rectangle> {
    const outer = this.outer.flatMap((group) => {
      const { bounds: before } = group;
      if (!before || !overlaps(before, frame)) return [];
      const isFree = (grown: Rectangle) => this.isFreeFor(group, grown, moved);
      const grown = frameGrown(before, [frame]);
      const titled = withTitleOver(grown, frame);
      const around = isFree(titled) ? titled : grown;
      return isFree(around) ? [[group, around] as const] : [];
    });
    const foreign = this.foreign.flatMap((group) => {
      const box = group.bounds && this.frameOf(group, moved);
      return box ? [[group, box] as const] : [];
    });
    const all = [...this.innerFrames(moved, this.members), ...outer, ...foreign];
    return new Map(
      all.flatMap(([group, box]) =>
        group.bounds && isSameBox(group.bounds, box) ? [] : [[this.graph.groups.indexOf(group), box]],
      ),
    );
  }

  /** Whether the new frame lies in each that holds all members now, or where that can grow, or apart from it. */
  protected isWellIn(
    moved: Boxes,
    members: readonly GraphNode[],
    spared: ReadonlySet<NodeId> = new Set(),
  ): boolean {
    const grown = this.outerGrown(this.frameWith(moved, members));
    return [...grown].every(([group, frame]) => this.isFreeFor(group, frame, moved, spared));
  }

  /** Those that hold all members and do not lie apart from the new frame, as large as they become by it. */
  protected outerGrown(frame: Rectangle): Map<GraphGroup, Rectangle> {
    return new Map(
      this.outer.flatMap((group) =>
        group.bounds && overlaps(group.bounds, frame)
          ? [[group, frameGrown(group.bounds, [frame])] as const]
          : [],
      ),
    );
  }

  /** Whether it comes to hold or cut nothing else, but for what is `spared`. */
  private isFreeFor(
    { nodes, bounds: before }: GraphGroup,
    grown: Rectangle,
    moved: Boxes,
    spared: ReadonlySet<NodeId> = new Set(),
  ): boolean {
    const isMet = (box: Rectangle) => overlaps(grown, box) && !(before && overlaps(before, box));
    return (
      !this.frames(moved).some(isMet) &&
      !this.others.some(
        (node) =>
          !nodes.includes(node.id) && !spared.has(node.id) && isMet(moved.get(node.id) ?? outline(node)),
      )
    );
  }

  /** As they were drawn, where their nodes keep their places to one another. */
  protected innerFrames(moved: Boxes, members: readonly GraphNode[]): Map<GraphGroup, Rectangle> {
    const frames = new Map<GraphGroup, Rectangle>();
    for (const group of innerFirst(this.inner)) {
      const nodes = members.filter(({ id }) => group.nodes.includes(id));
      if (nodes.length < group.nodes.length) continue;
      const by = sharedShift(nodes, moved);
      const within = [
        ...nodes.map((node) => moved.get(node.id) ?? outline(node)),
        ...[...frames].flatMap(([each, box]) => (isGroupWithin(each, group) ? [box] : [])),
      ];
      const { bounds: drawn } = group;
      frames.set(
        group,
        drawn && by ? { ...drawn, x: drawn.x + by.x, y: drawn.y + by.y } : frameAround(within),
      );
    }
    return frames;
  }

  /** Around the members, closer to them where others stand close by. */
  frameWith(moved: Boxes, members = this.members): Rectangle {
    const boxes = members.map((node) => moved.get(node.id) ?? outline(node));
    const core = bounds([...boxes, ...this.innerFrames(moved, members).values()]);
    const usual = frameAround([core]);
    const around = (boxes: readonly Rectangle[], gap: number) =>
      boxes.filter((box) => overlaps(box, usual, gap) && !overlaps(box, core)).map((box) => ({ gap, box }));
    const close = [
      ...around(
        this.others.map((node) => moved.get(node.id) ?? outline(node)),
        nodeGap,
      ),
      ...around(this.frames(moved), frameGap),
    ];
    const side = (usual: number, least: number, room: (box: Rectangle) => number) =>
      close.reduce((side, { gap, box }) => {
        const free = room(box);
        return free < 0 ? side : Math.min(side, Math.max(least, Math.round(free - gap)));
      }, usual);
    const left = side(framePadding, leastPadding, (box) => core.x - box.x - box.width);
    const top = side(frameHeading, leastHeading, (box) => core.y - box.y - box.height);
    const right = side(framePadding, leastPadding, (box) => box.x - core.x - core.width);
    const bottom = side(framePadding, leastPadding, (box) => box.y - core.y - core.height);
    return {
      x: core.x - left,
      y: core.y - top,
      width: core.width + left + right,
      height: core.height + top + bottom,
    };
  }

  /** Whether the frame around these would hold or cut nothing else, but for what is `spared`. */
  protected isClear(moved: Boxes, members = this.members, spared: ReadonlySet<NodeId> = new Set()): boolean {
    const frame = this.frameWith(moved, members);
    return (
      this.inTheWay(moved, frame).every(({ id }) => spared.has(id)) &&
      this.foreign.every(
        (group) => group.nodes.some((id) => spared.has(id)) || !this.isMet(group, frame, moved),
      )
    );
  }

  /** Whether nothing else stands among these, so that a little shift will do for the frame. */
  protected isNearlyClear(moved: Boxes, members: readonly GraphNode[], spared: ReadonlySet<NodeId>): boolean {
    const boxes = members.map((node) => moved.get(node.id) ?? outline(node));
    const core = bounds([...boxes, ...this.innerFrames(moved, members).values()]);
    return !this.obstacles(spared, moved).some((box) => overlaps(core, box));
  }

  /** The others that such a frame would hold or cut. */
  protected inTheWay(moved: Boxes, frame: Rectangle): GraphNode[] {
    return this.others.filter((node) => overlaps(frame, moved.get(node.id) ?? outline(node)));
  }

  protected isMet(group: GraphGroup, frame: Rectangle, moved: Boxes): boolean {
    const other = this.frameOf(group, moved);
    return other !== undefined && overlaps(frame, other);
  }

  /** What is no member and stays where it is; nodes may be taken for smaller. */
  protected obstacles(spared: ReadonlySet<NodeId>, moved: Boxes, less = 0): Rectangle[] {
    const staying = this.others.filter(({ id }) => !spared.has(id));
    const drawn = this.foreign.filter(({ nodes }) => !nodes.some((id) => spared.has(id)));
    return [
      ...staying.map((node) => inset(moved.get(node.id) ?? outline(node), less)),
      ...drawn.flatMap((group) => this.frameOf(group, moved) ?? []),
    ];
  }

  /** Of groups that have some of the members, and others. */
  protected tornFrames(): Rectangle[] {
    const known = [...this.foreign, ...this.inner, ...this.outer];
    const isTorn = (group: GraphGroup) => !known.includes(group);
    return this.graph.groups.flatMap((group) => (group.bounds && isTorn(group) ? [group.bounds] : []));
  }

  protected frames(moved: Boxes): Rectangle[] {
    return this.foreign.flatMap((group) => this.frameOf(group, moved) ?? []);
  }

  /** It goes along where all its nodes go. */
  protected frameOf({ bounds: drawn, nodes: ids }: GraphGroup, moved: Boxes): Rectangle | undefined {
    const nodes = this.graph.nodes.filter(({ id }) => ids.includes(id));
    if (!drawn)
      return nodes.length > 0
        ? frameAround(nodes.map((node) => moved.get(node.id) ?? outline(node)))
        : undefined;
    const by = sharedShift(nodes, moved);
    return by ? { ...drawn, x: drawn.x + by.x, y: drawn.y + by.y } : drawn;
  }
}

/** As far up as its title needs over that of one within. */
function withTitleOver(frame: Rectangle, inner: Rectangle): Rectangle {
  if (inner.y - frame.y >= leastHeading) return frame;
  const y = inner.y - frameHeading;
  return { ...frame, y, height: frame.height + frame.y - y };
}

/** How far all of these go, if they keep their places to one another. */
function sharedShift(nodes: readonly GraphNode[], moved: Boxes): Point | undefined {
  const [first, ...others] = nodes.map((node) => {
    const [{ x, y }, now] = [outline(node), moved.get(node.id) ?? outline(node)];
    return { x: now.x - x, y: now.y - y };
  });
  return first && others.every(({ x, y }) => x === first.x && y === first.y) ? first : undefined;
}

function inset({ x, y, width, height }: Rectangle, by: number): Rectangle {
  return { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by };
}

function isSameBox(one: Rectangle, other: Rectangle): boolean {
  return contains(one, other) && contains(other, one);
}
