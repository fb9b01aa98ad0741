/** Where the node of a new subgraph goes, and the nodes that come out of one: near where they are, and on nothing. */

import { nearestFree } from "./freePlace";
import {
  findNode,
  type Graph,
  type GraphGroup,
  type GraphNode,
  type NodeId,
  type Point,
  type Rectangle,
} from "./graph";
import { makeRoom, type RoomMade } from "./makeRoom";
import { bounds, contains, drawn, outline, overlaps, titleHeight } from "./placement";
import { runsBack, wiresCost } from "./wires";

const gap = 20;
/** Wires that run forward are worth so long a way. */
const farthest = 600;
/** So near to its nodes, a subgraph's node stands amid them. */
const amid = 100;

/** What went into a subgraph, as it stood. */
export interface Packed {
  boxes: readonly Rectangle[];
  /** The groups that some of it was in. */
  homes: readonly GraphGroup[];
}

/** Of groups that some of these nodes are in. */
export function homesOf(groups: readonly GraphGroup[], ids: readonly NodeId[]): GraphGroup[] {
  return groups.filter(({ nodes }) => nodes.some((id) => ids.includes(id)));
}

/**
 * Where the node of a new subgraph lies on nothing and cuts no frame: in the place of what went into it where its wires are
 * shortest, else where it is, else near.
 */
export function placeOfInstance(
  { nodes, groups }: Graph,
  instance: GraphNode,
  { boxes: left, homes }: Packed,
): Point {
  const others = nodes.filter(({ id }) => id !== instance.id);
  const boxes = new Map(others.map((node) => [node.id, outline(node)]));
  const frames = groups.filter((group) => !homes.includes(group)).flatMap((group) => group.bounds ?? []);
  const obstacles = [...boxes.values(), ...frames];
  /** A frame that has nobody left goes. */
  const isLeft = ({ nodes: ids }: GraphGroup) => ids.some((id) => boxes.has(id));
  const isUncut = (place: Rectangle) =>
    homes.every(
      (home) =>
        !home.bounds || !overlaps(home.bounds, place) || contains(home.bounds, place) || !isLeft(home),
    );
  const sources = instance.inputs.flatMap(({ linkedFrom }) => boxes.get(linkedFrom?.node ?? "") ?? []);
  const targets = instance.outputs.flatMap(({ linkedTo }) =>
    linkedTo.flatMap(({ node }) => boxes.get(node) ?? []),
  );
  const wiresBack = (place: Rectangle) =>
    sources.filter((box) => runsBack(box, place)).length +
    targets.filter((box) => runsBack(place, box)).length;
  const wish = outline(instance);
  const isFree = (place: Rectangle) => isUncut(place) && !obstacles.some((box) => overlaps(box, place));
  const cost = (place: Rectangle) => wiresCost(place, sources, targets);
  const [vacated] = left
    .map(({ x, y }) => ({ ...wish, x, y }))
    .filter(isFree)
    .sort((one, other) => cost(one) - cost(other));
  if (vacated) return positionOf(vacated);
  if (isFree(wish)) return instance.position;
  const isNear = ({ x, y }: Point) => Math.abs(x - wish.x) + Math.abs(y - wish.y) <= farthest;
  for (let most = 0; most < sources.length + targets.length; most++) {
    const fits = (place: Rectangle) => isNear(place) && isUncut(place) && wiresBack(place) <= most;
    const found = nearestFree(wish, obstacles, { gap, fits });
    if (found) return positionOf(found);
  }
  return positionOf(nearestFree(wish, obstacles, { gap, fits: isUncut }) ?? wish);
}

export interface Unpacked extends RoomMade {
  /** From the places inside the subgraph to those outside. */
  by: Point;
}

/**
 * Where nodes go that come out of a subgraph, in their places to one another: to those that they have inside, where the
 * subgraph's node stands amid them and nothing is in the way, as they went in; else with their upper left corner to that of
 * the node, for which room is made. `graph` is that around the node, with it.
 */
export function placeOfContents({ nodes, groups }: Graph, instance: GraphNode, inner: Graph): Unpacked {
  const boxes = new Map(inner.nodes.map((node) => [node.id, outline(node)]));
  const all = [...boxes.values(), ...inner.groups.flatMap((group) => group.bounds ?? [])];
  const others = nodes.filter(({ id }) => id !== instance.id);
  const stay = { by: { x: 0, y: 0 }, positions: new Map(), frames: new Map() };
  if (all.length === 0) return stay;
  const [from, block] = [outline(instance), bounds(all)];
  const inTheWay = others.map(drawn);
  const isFree = inner.nodes.map(drawn).every((box) => !inTheWay.some((other) => overlaps(box, other)));
  if (overlaps(from, block, amid) && isFree) return stay;
  const by = { x: Math.round(from.x - block.x), y: Math.round(from.y - block.y) };
  const moved = (box: Rectangle) => ({ ...box, x: box.x + by.x, y: box.y + by.y });
  const homes = groups.filter((group) => group.nodes.includes(instance.id));
  const rightOf = new Map<NodeId, number>();
  const outputs = inner.scope.kind === "subgraph" ? inner.scope.outputs : [];
  for (const [index, { linkedFrom }] of outputs.entries()) {
    const source = boxes.get(linkedFrom?.node ?? "");
    for (const { node: id } of instance.outputs[index]?.linkedTo ?? []) {
      const target = findNode({ nodes: others }, id);
      if (!source || !target || runsBack(from, outline(target))) continue;
      rightOf.set(id, Math.max(rightOf.get(id) ?? Number.NEGATIVE_INFINITY, moved(source).x + source.width));
    }
  }
  return { by, ...makeRoom({ nodes: others, groups }, { from, to: moved(block), homes, rightOf }) };
}

function positionOf({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) + titleHeight };
}
