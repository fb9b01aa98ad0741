/** Nodes that a box shall be drawn around: brought together where it would hold others, too. */

import { arrange } from "./arrange";
import type { Graph, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { isInside, outline } from "./placement";

/** Around the nodes of a group, below its title. */
const padding = 10;
const heading = 40;
const gap = 40;

/** Where these nodes go, if they have to move. Nothing else does. */
export function broughtTogether(graph: Graph, ids: readonly NodeId[]): ReadonlyMap<NodeId, Point> {
  const isMember = ({ id }: GraphNode) => ids.includes(id);
  const members = graph.nodes.filter(isMember);
  const others = graph.nodes.filter((node) => !isMember(node));
  if (!others.some((node) => isInside(boxAround(members), { ...node.position, ...node.size })))
    return new Map();
  const { positions } = arrange(graph, ids);
  const box = boxAround(
    members.map((node) => ({ ...node, position: positions.get(node.id) ?? node.position })),
  );
  const groups = graph.groups.flatMap(({ nodes }) => {
    const inside = graph.nodes.filter(({ id }) => nodes.includes(id));
    return inside.length === 0 || inside.some(isMember) ? [] : [boxAround(inside)];
  });
  const free = nearestFree(box, [...others.map(outline), ...groups]);
  return new Map(
    [...positions].map(([id, { x, y }]) => [id, { x: x + free.x - box.x, y: y + free.y - box.y }]),
  );
}

function boxAround(nodes: readonly GraphNode[]): Rectangle {
  const boxes = nodes.map(outline);
  const left = Math.min(...boxes.map(({ x }) => x)) - padding;
  const top = Math.min(...boxes.map(({ y }) => y)) - heading;
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + padding;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + padding;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Right of something, below it or above it. */
function nearestFree(box: Rectangle, obstacles: readonly Rectangle[]): Point {
  const lefts = [box.x, ...obstacles.map(({ x, width }) => x + width + gap)];
  const tops = [box.y, ...obstacles.flatMap(({ y, height }) => [y + height + gap, y - box.height - gap])];
  const distance = ({ x, y }: Point) => Math.abs(x - box.x) + Math.abs(y - box.y);
  const places = lefts
    .flatMap((x) => tops.map((y) => ({ x, y })))
    .sort((one, other) => distance(one) - distance(other));
  const isFree = (place: Point) => !obstacles.some((other) => overlap({ ...box, ...place }, other));
  return places.find(isFree) ?? box;
}

function overlap(one: Rectangle, other: Rectangle): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
