/** Ways to bring nodes together for a frame: the loose ones next to the others, or all of them elsewhere. */

import { arrange } from "./arrange";
import { frameAround, framePadding } from "./frames";
import { type Boxes, FrameTogether, frameGap, nodeGap } from "./frameTogether";
import { nearestFree } from "./freePlace";
import type { GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { wireCost } from "./moveCost";
import { bounds, boxesOf, contains, outline, overlaps, shifted } from "./placement";
import { turnsWireBack } from "./wires";

/** Moves as one: a node, or a frame with all that is in it. */
export interface Part {
  nodes: readonly GraphNode[];
  box: Rectangle;
  isFramed: boolean;
}

/** Between members that are brought together. */
const gap = 30;
/** Members no further apart than this lie side by side. */
const reach = 500;
/** What so many square pixels of an empty frame cost, as pixels of a way do. */
export const emptiness = 1000;
/** What a pixel of a way costs, and one by which the upper edge goes up. */
const way = 0.4;
export const upwards = 0.5;

/** `spared` are others that may go out of the way. */
export class Gathered extends FrameTogether {
  /** Around some of the members that lie side by side, with each of the others at the best place among them. */
  protected *gathered(spared: ReadonlySet<NodeId>): Generator<Boxes> {
    const tried = new Set<string>();
    const parts = this.partsOf(this.members, this.inner);
    for (const seed of parts) {
      const cluster = this.clusterAround(seed, parts, spared);
      const key = cluster
        .map((part) => parts.indexOf(part))
        .sort()
        .join();
      if (tried.has(key) || cluster.length === parts.length) continue;
      tried.add(key);
      const leaving = parts.filter((part) => !cluster.includes(part));
      const moved = this.joined(cluster, leaving, spared);
      if (moved) yield moved;
    }
  }

  /** As many as lie side by side with it in a frame that is clear, from near to far. */
  private clusterAround(seed: Part, parts: readonly Part[], spared: ReadonlySet<NodeId>): Part[] {
    const cluster = [seed];
    const rest = new Set(parts.filter((part) => part !== seed));
    const distance = ({ box }: Part) => Math.min(...cluster.map((each) => apart(each.box, box)));
    while (rest.size > 0) {
      const [next] = [...rest].sort((one, other) => distance(one) - distance(other));
      if (!next || distance(next) > reach) break;
      rest.delete(next);
      if (this.isNearlyClear(new Map(), nodesOf([...cluster, next]), spared)) cluster.push(next);
    }
    return cluster;
  }

  private joined(
    cluster: readonly Part[],
    leaving: readonly Part[],
    spared: ReadonlySet<NodeId>,
  ): Boxes | undefined {
    const whole = bounds(cluster.map(({ box }) => box));
    const placed = [...cluster];
    let moved: Boxes = new Map();
    const isClear = this.isClear(moved, nodesOf(cluster), spared)
      ? (after: Boxes, members: readonly GraphNode[]) => this.isClear(after, members, spared)
      : (after: Boxes, members: readonly GraphNode[]) => this.isNearlyClear(after, members, spared);
    for (const part of leaving.toSorted((one, other) => apart(one.box, whole) - apart(other.box, whole))) {
      const place = this.placeAmong(placed, part, moved, spared, isClear);
      if (!place) return undefined;
      moved = movedTo(part, place, moved);
      placed.push({ ...part, box: place });
    }
    return moved;
  }

  /** Right, left, above or below one of those, where the frame becomes small and the wires short. */
  private placeAmong(
    placed: readonly Part[],
    part: Part,
    moved: Boxes,
    spared: ReadonlySet<NodeId>,
    isClear: (moved: Boxes, members: readonly GraphNode[]) => boolean,
  ): Rectangle | undefined {
    const { box } = part;
    const { width, height } = box;
    const boxes = placed.map((each) => each.box);
    const xs = boxes.flatMap(({ x, width: wide }) => [x, x + wide - width, x + wide + gap, x - gap - width]);
    const ys = boxes.flatMap(({ y, height: high }) => [
      y,
      y + high - height,
      y + high + gap,
      y - gap - height,
    ]);
    const members = nodesOf([...placed, part]);
    const [torn, obstacles] = [this.tornFrames(), this.obstacles(spared, moved)];
    const { y: top } = bounds(boxes);
    return [...new Set([box.x, ...xs])]
      .flatMap((x) => [...new Set([box.y, ...ys])].map((y) => ({ ...wholePixels(x, y, box), width, height })))
      .filter(
        (place) =>
          !boxes.some((other) => overlaps(place, other, frameGap)) &&
          !obstacles.some((other) => overlaps(place, other, framePadding)) &&
          torn.every((frame) => !overlaps(place, frame) || contains(frame, place)),
      )
      .map((place) => {
        const after = movedTo(part, place, moved);
        const empty = areaOf(this.frameWith(after, members)) / emptiness;
        const far = way * (Math.abs(place.x - box.x) + Math.abs(place.y - box.y));
        const rise = upwards * Math.max(0, top - place.y);
        return { place, after, cost: empty + far + rise + this.wiresOf(part, after, members) };
      })
      .sort((one, other) => one.cost - other.cost)
      .find(({ after }) => isClear(after, members) && this.isWellIn(after, members, spared))?.place;
  }

  private wiresOf(part: Part, moved: Boxes, members: readonly GraphNode[]): number {
    const boxes = new Map([...boxesOf([...this.others, ...members]), ...moved]);
    const isInside = (id: NodeId) => part.nodes.some((node) => node.id === id);
    let cost = 0;
    for (const { id, inputs } of this.graph.nodes)
      for (const { linkedFrom } of inputs) {
        if (!linkedFrom || isInside(id) === isInside(linkedFrom.node)) continue;
        cost += wireCost(this.graph, boxes, linkedFrom.node, id);
      }
    return cost;
  }

  /** All members at the nearest free place, laid out, and as they lie to one another. */
  protected allMoved(spared: ReadonlySet<NodeId>): Boxes[] {
    const ids = this.members.map(({ id }) => id);
    const inside = { ...this.graph, nodes: [...this.members], groups: [...this.inner] };
    const { positions } = arrange(inside, ids);
    return [boxesOf(this.members, positions), boxesOf(this.members)].flatMap((laidOut) => {
      const frame = this.frameAlone(laidOut);
      const obstacles = [...this.obstacles(spared, new Map(), frameGap - nodeGap), ...this.tornFrames()];
      const places = [true, false].flatMap((isForward) => {
        const fits = (place: Rectangle) => {
          const moved = shiftedAll(laidOut, place.x - frame.x, place.y - frame.y);
          return (
            this.isWellIn(moved, this.members, spared) && !(isForward && turnsWireBack(this.graph, moved))
          );
        };
        return nearestFree(frame, obstacles, { gap: frameGap, fits }) ?? [];
      });
      return places.map(({ x, y }) => shiftedAll(laidOut, Math.round(x - frame.x), Math.round(y - frame.y)));
    });
  }

  protected farAway(): Boxes {
    const boxes = boxesOf(this.members);
    const others = [...this.others.map(outline), ...this.frames(new Map())];
    const low = Math.max(...others.map(({ y, height }) => y + height)) + frameGap;
    return shiftedAll(boxes, 0, Math.ceil(low - this.frameAlone(boxes).y));
  }

  protected frameAlone(boxes: Boxes): Rectangle {
    return frameAround([...boxes.values(), ...this.innerFrames(boxes, this.members).values()]);
  }

  /** The outermost of these frames that are drawn, and the nodes in none. */
  protected partsOf(nodes: readonly GraphNode[], groups: readonly GraphGroup[]): Part[] {
    const parts: Part[] = [];
    const taken = new Set<NodeId>();
    for (const group of groups.toSorted((one, other) => other.nodes.length - one.nodes.length)) {
      if (!group.bounds || group.nodes.some((id) => taken.has(id))) continue;
      const inside = nodes.filter(({ id }) => group.nodes.includes(id));
      if (inside.length === 0) continue;
      for (const { id } of inside) taken.add(id);
      parts.push({ nodes: inside, box: bounds([group.bounds, ...inside.map(outline)]), isFramed: true });
    }
    const single = nodes.filter(({ id }) => !taken.has(id));
    return [...parts, ...single.map((node) => ({ nodes: [node], box: outline(node), isFramed: false }))];
  }
}

export function movedTo({ nodes, box }: Part, { x, y }: Point, moved: Boxes): Boxes {
  const whole = boxesOf(nodes);
  return new Map([...moved, ...shiftedAll(whole, x - box.x, y - box.y)]);
}

export function shiftedAll(boxes: Boxes, x: number, y: number): Boxes {
  return new Map([...boxes].map(([id, box]) => [id, shifted(box, { x, y })]));
}

/** Nearest to there that lies whole pixels from where it is. */
function wholePixels(x: number, y: number, from: Point): Point {
  return { x: from.x + Math.round(x - from.x), y: from.y + Math.round(y - from.y) };
}

/** How far two boxes are from one another, across or down; less than nothing where they overlap. */
export function apart(one: Rectangle, other: Rectangle): number {
  return Math.max(across(one, other), down(one, other));
}

export function across(one: Rectangle, other: Rectangle): number {
  return Math.max(one.x - other.x - other.width, other.x - one.x - one.width);
}

export function down(one: Rectangle, other: Rectangle): number {
  return Math.max(one.y - other.y - other.height, other.y - one.y - one.height);
}

export function areaOf({ width, height }: Rectangle): number {
  return width * height;
}

function nodesOf(parts: readonly Part[]): GraphNode[] {
  return parts.flatMap(({ nodes }) => nodes);
}
