/** A place beside a node or a group for what explains it, as a note. */

import { frameOf, framePadding } from "./frames";
import { nearestFree } from "./freePlace";
import type { Graph, GraphGroup, GraphNode, Point, Rectangle, Size } from "./graph";
import { contains, drawn, outline, overlaps, titleHeight } from "./placement";

const gap = 20;

/**
 * Under or over the node, else the frames around it, with the left edge of these or else the right one, else right or left
 * of them: the first of these places where it lies on nothing and cuts no frame, else the nearest such place. `graph` is without what is placed.
 */
export function placeBeside(graph: Graph, host: GraphNode | GraphGroup, size: Size): Point {
  const nodes = graph.nodes.map(outline);
  const frames = graph.groups.flatMap((group) => group.bounds ?? []);
  const own = "position" in host ? drawn(host) : (host.bounds ?? frameOf(graph, host.nodes));
  const around = frames.filter((frame) => contains(frame, own)).sort((one, other) => one.width - other.width);
  const { width, height } = outline({ position: { x: 0, y: 0 }, size });
  const isUncut = (place: Rectangle) =>
    frames.every((frame) => !overlaps(frame, place) || isWithin(frame, place));
  const isFree = (place: Rectangle) =>
    isUncut(place) && !nodes.some((node) => overlaps(node, place, gap / 2));
  const boxes = [own, ...around];
  const underAndOver = ({ y, height: down }: Rectangle, x: number) => [
    { x, y: y + down + gap },
    { x, y: y - gap - height },
  ];
  const sides = [
    ...boxes.flatMap((box) => underAndOver(box, box.x)),
    ...boxes.flatMap((box) => underAndOver(box, box.x + box.width - width)),
    ...boxes.flatMap(({ x, y, width: across }) => [
      { x: x + across + gap, y },
      { x: x - gap - width, y },
    ]),
  ];
  const places = sides.map((corner) => ({ ...corner, width, height }));
  const [below] = places;
  const found =
    places.find(isFree) ?? (below && (nearestFree(below, nodes, { gap, fits: isUncut }) ?? below)) ?? own;
  return { x: Math.round(found.x), y: Math.round(found.y) + titleHeight };
}

function isWithin({ x, y, width, height }: Rectangle, place: Rectangle): boolean {
  const inner = { x: x + framePadding, y: y + titleHeight, width: width - 2 * framePadding };
  return contains({ ...inner, height: height - titleHeight - framePadding }, place);
}
