/** A place beside a node or a group for what explains it, as a note. */

import { frameOf, framePadding } from "./frames";
import { nearestFree } from "./freePlace";
import type { Graph, GraphGroup, GraphNode, Point, Rectangle, Size } from "./graph";
import { standsOff } from "./notes";
import { contains, drawn, outline, overlaps, titleHeight } from "./placement";

const gap = 20;

/**
 * Under, over, right or left of the node or the frames around it, where it lies on nothing and cuts no frame: the nearest of
 * these places from which a note is taken to belong to the node, else the nearest free one. `graph` is without what is
 * placed.
 */
export function placeBeside(graph: Graph, host: GraphNode | GraphGroup, size: Size): Point {
  const nodes = graph.nodes.map(outline);
  const frames = graph.groups.flatMap((group) => group.bounds ?? []);
  const own = "position" in host ? drawn(host) : (host.bounds ?? frameOf(graph, host.nodes));
  const around = frames.filter((frame) => contains(frame, own));
  const { width, height } = outline({ position: { x: 0, y: 0 }, size });
  const isUncut = (place: Rectangle) =>
    frames.every((frame) => !overlaps(frame, place) || isWithin(frame, place));
  const isFree = (place: Rectangle) =>
    isUncut(place) && !nodes.some((node) => overlaps(node, place, gap / 2));
  const places = [own, ...around]
    .flatMap((box) => [
      ...[own.x, own.x + own.width - width].flatMap((x) => [
        { x, y: box.y + box.height + gap },
        { x, y: box.y - gap - height },
      ]),
      { x: box.x + box.width + gap, y: own.y },
      { x: box.x - gap - width, y: own.y },
    ])
    .map((corner) => ({ ...corner, width, height }));
  const [below] = places;
  const [nearest] = places.filter(isFree).sort((one, other) => standsOff(one, own) - standsOff(other, own));
  const found = nearest ?? (below && (nearestFree(below, nodes, { gap, fits: isUncut }) ?? below)) ?? own;
  return { x: Math.round(found.x), y: Math.round(found.y) + titleHeight };
}

function isWithin({ x, y, width, height }: Rectangle, place: Rectangle): boolean {
  const inner = { x: x + framePadding, y: y + titleHeight, width: width - 2 * framePadding };
  return contains({ ...inner, height: height - titleHeight - framePadding }, place);
}
