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
import { bounds, drawn, outline, overlaps, titleHeight } from "./placement";
import { runsBack } from "./wires";

const gap = 20;
/** Wires that run forward are worth so long a way. */
const farthest = 600;
/** So near to its nodes, a subgraph's node stands amid them. */
const amid = 100;

/** Where the node of a new subgraph lies on nothing, near where it is; in `homes` lay all that went into it. */
export function placeOfInstance(
  { nodes, groups }: Graph,
  instance: GraphNode,
  homes: readonly GraphGroup[],
): Point {
  const others = nodes.filter(({ id }) => id !== instance.id);
  const boxes = new Map(others.map((node) => [node.id, outline(node)]));
  const frames = groups.filter((group) => !homes.includes(group)).flatMap((group) => group.bounds ?? []);
  const obstacles = [...boxes.values(), ...frames];
  const sources = instance.inputs.flatMap(({ linkedFrom }) => boxes.get(linkedFrom?.node ?? "") ?? []);
  const targets = instance.outputs.flatMap(({ linkedTo }) =>
    linkedTo.flatMap(({ node }) => boxes.get(node) ?? []),
  );
  const wiresBack = (place: Rectangle) =>
    sources.filter((box) => runsBack(box, place)).length +
    targets.filter((box) => runsBack(place, box)).length;
  const wish = outline(instance);
  if (!obstacles.some((box) => overlaps(box, wish))) return instance.position;
  const isNear = ({ x, y }: Point) => Math.abs(x - wish.x) + Math.abs(y - wish.y) <= farthest;
  for (let most = 0; most < sources.length + targets.length; most++) {
    const found = nearestFree(wish, obstacles, {
      gap,
      fits: (place) => isNear(place) && wiresBack(place) <= most,
    });
    if (found) return positionOf(found);
  }
  return positionOf(nearestFree(wish, obstacles, { gap }) ?? wish);
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
