/** Places that somebody asks for: what would come to lie on others goes to the nearest free place, as one. */

import { nearestFree, waysOnto } from "./freePlace";
import type { Graph, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { contains, drawn, isInside, overlaps, shifted } from "./placement";

const gap = 20;
const leastGap = 5;
/** So far it may go to stay whole in a frame, or to have more room around it. */
const farthest = 300;
/** So far several go together. */
const farthestTogether = 1000;

/**
 * How much further these nodes go from where they were asked to be, if at all; `carried` are frames that go along. `graph`
 * has what they have to be clear of. Several for which there is no place near go each as far as it has to.
 */
export function waysOffOthers(
  graph: Graph,
  ids: readonly NodeId[],
  carried: readonly Rectangle[] = [],
): Map<NodeId, Point> {
  const by = wayOffOthers(graph, ids, carried);
  if (by && (ids.length === 1 || lengthOf(by) <= farthestTogether)) return new Map(ids.map((id) => [id, by]));
  const placed = new Map<NodeId, Point>();
  for (const [index, id] of ids.entries()) {
    const open = ids.slice(index + 1);
    const nodes = graph.nodes.flatMap((node) => {
      if (open.includes(node.id)) return [];
      const { x, y } = placed.get(node.id) ?? { x: 0, y: 0 };
      return [{ ...node, position: { x: node.position.x + x, y: node.position.y + y } }];
    });
    placed.set(id, wayOffOthers({ ...graph, nodes }, [id], []) ?? { x: 0, y: 0 });
  }
  return placed;
}

function wayOffOthers(
  graph: Graph,
  ids: readonly NodeId[],
  carried: readonly Rectangle[],
): Point | undefined {
  const isMoving = ({ id }: GraphNode) => ids.includes(id);
  const pieces = [...graph.nodes.filter(isMoving).map(drawn), ...carried];
  const others = graph.nodes.filter((node) => !isMoving(node)).map(drawn);
  const stay = { x: 0, y: 0 };
  if (!pieces.some((piece) => others.some((other) => overlaps(piece, other)))) return stay;
  const frames = graph.groups.flatMap(({ nodes, bounds: frame }) =>
    frame && !nodes.every((id) => ids.includes(id)) ? [frame] : [],
  );
  const met = pieces.flatMap((piece) =>
    [...others, ...frames.filter((frame) => !overlaps(frame, piece))].map((other) => waysOnto(piece, other)),
  );
  const areKept = (by: Point, isKept: (frame: Rectangle, piece: Rectangle) => boolean) =>
    pieces.every((piece) =>
      frames.every((frame) => !isKept(frame, piece) || isKept(frame, shifted(piece, by))),
    );
  const wish = { ...stay, width: 0, height: 0 };
  const isNear = (by: Point) => lengthOf(by) <= farthest;
  const found =
    nearestFree(wish, met, { gap, fits: (by) => isNear(by) && areKept(by, contains) }) ??
    nearestFree(wish, met, { gap: leastGap, fits: (by) => isNear(by) && areKept(by, isInside) }) ??
    nearestFree(wish, met, { gap, fits: (by) => areKept(by, isInside) }) ??
    nearestFree(wish, met, { gap });
  return found && { x: Math.round(found.x), y: Math.round(found.y) };
}

function lengthOf({ x, y }: Point): number {
  return Math.abs(x) + Math.abs(y);
}
