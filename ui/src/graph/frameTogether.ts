/** The frame around nodes that are brought together, and what it means for the others and for theirs. */

import { innerFirst } from "./blocks";
import { frameAround, frameGrown, framePadding, isGroupWithin } from "./frames";
import type { Graph, GraphGroup, GraphNode, NodeId, Rectangle } from "./graph";
import { bounds, contains, outline, overlaps } from "./placement";

/** Of nodes that have moved. */
export type Boxes = ReadonlyMap<NodeId, Rectangle>;

/** What the title of a group and its sides take at least, where something stands close. */
const leastHeading = 24;
const leastPadding = 2;

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
  protected isWellIn(moved: Boxes, members: readonly GraphNode[]): boolean {
    const frame = this.frameWith(moved, members);
    return this.outer.every(
      (group) =>
        !group.bounds ||
        !overlaps(group.bounds, frame) ||
        this.isFreeFor(group, frameGrown(group.bounds, [frame]), moved),
    );
  }

  protected isFreeFor({ nodes, bounds: before }: GraphGroup, grown: Rectangle, moved: Boxes): boolean {
    return !this.others.some((node) => {
      const box = moved.get(node.id) ?? outline(node);
      return !nodes.includes(node.id) && overlaps(grown, box) && !(before && overlaps(before, box));
    });
  }

  /** As they were drawn, where their nodes keep their places to one another. */
  protected innerFrames(moved: Boxes, members: readonly GraphNode[]): Map<GraphGroup, Rectangle> {
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
    const close = [
      ...this.others.map((node) => moved.get(node.id) ?? outline(node)),
      ...this.frames(),
    ].filter((box) => overlaps(box, usual) && !overlaps(box, core));
    const side = (usual: number, least: number, edges: readonly number[]) =>
      Math.max(least, Math.min(usual, ...edges.filter((room) => room >= 0)));
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

  /** Whether the frame around these would hold or cut nothing else. */
  protected isClear(moved: Boxes, members = this.members): boolean {
    const frame = this.frameWith(moved, members);
    const own = members.map((node) => moved.get(node.id) ?? outline(node));
    const isMet = (other: Rectangle) =>
      overlaps(frame, other, -leastPadding) && !own.some((box) => overlaps(box, other));
    return this.inTheWay(moved, members).length === 0 && !this.frames().some(isMet);
  }

  /** The others that the frame around these would hold or cut. */
  protected inTheWay(moved: Boxes, members = this.members): GraphNode[] {
    const frame = this.frameWith(moved, members);
    return this.others.filter((node) => overlaps(frame, moved.get(node.id) ?? outline(node)));
  }

  /** Of nodes but these, and of frames that have nothing to do with the members. */
  protected boxesBut(nodes: readonly GraphNode[], moved: Boxes): Rectangle[] {
    const rest = this.graph.nodes.filter((node) => !nodes.includes(node));
    return [...rest.map((node) => moved.get(node.id) ?? outline(node)), ...this.frames()];
  }

  /** Of groups that have some of the members, and others. */
  protected tornFrames(): Rectangle[] {
    const known = [...this.foreign, ...this.inner, ...this.outer];
    const isTorn = (group: GraphGroup) => !known.includes(group);
    return this.graph.groups.flatMap((group) => (group.bounds && isTorn(group) ? [group.bounds] : []));
  }

  protected frames(): Rectangle[] {
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
