/** Places that somebody asks for: what would come to lie on others goes to the nearest free place, as one. */

import { frameHeading, framePadding } from "./frames";
import { nearestFree, waysOnto } from "./freePlace";
import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { bounds, contains, drawn, isInside, overlaps, shifted } from "./placement";

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

/** What these nodes, and the frames that go along, would lie on, or across the edge of, where they were asked to be. */
export function standingThere(
  graph: Graph,
  ids: readonly NodeId[],
  carried: readonly Rectangle[] = [],
): (GraphNode | GraphGroup)[] {
  const pieces = piecesOf(graph, ids, carried);
  const met = graph.nodes.filter(
    (node) => !ids.includes(node.id) && pieces.some((piece) => overlaps(piece, drawn(node))),
  );
  // Of one that is to be drawn, the nodes are there.
  const groups = foreignTo(graph, ids).filter(({ bounds: frame, nodes }) =>
    frame ? pieces.some((piece) => isAcross(piece, frame)) : met.some(({ id }) => nodes.includes(id)),
  );
  const nodes = met.filter(({ id }) => !groups.some((group) => group.nodes.includes(id)));
  return [...groups, ...nodes];
}

/** What has to be clear of others, as boxes. */
function piecesOf({ nodes }: Graph, ids: readonly NodeId[], carried: readonly Rectangle[]): Rectangle[] {
  const boxes = nodes.filter(({ id }) => ids.includes(id)).map(drawn);
  return [...carried, ...boxes.filter((box) => !carried.some((frame) => contains(frame, box)))];
}

/** Groups that have none of these. */
function foreignTo({ groups }: Graph, ids: readonly NodeId[]): GraphGroup[] {
  return groups.filter(({ nodes }) => nodes.length > 0 && !nodes.some((id) => ids.includes(id)));
}

function isAcross(piece: Rectangle, frame: Rectangle): boolean {
  return overlaps(piece, frame) && !contains(frame, piece);
}

function wayOffOthers(
  graph: Graph,
  ids: readonly NodeId[],
  carried: readonly Rectangle[],
): Point | undefined {
  const pieces = piecesOf(graph, ids, carried);
  const others = graph.nodes.filter(({ id }) => !ids.includes(id)).map(drawn);
  const stay = { x: 0, y: 0 };
  const around = graph.groups.filter(({ nodes }) => !nodes.every((id) => ids.includes(id)));
  const frames = around.flatMap(({ bounds: frame }) => frame ?? []);
  const foreign = foreignTo(graph, ids).flatMap(({ bounds: frame }) => frame ?? []);
  if (!pieces.some((piece) => others.some((other) => overlaps(piece, other)))) {
    const off = wayOffEdges(pieces, foreign, [...others, ...frames]);
    if (!carried.some((piece) => foreign.some((frame) => isAcross(shifted(piece, off), frame)))) return off;
  }
  // What moves comes into a frame of others whole, or not at all.
  const isClosed = (frame: Rectangle, piece: Rectangle) =>
    foreign.includes(frame) ? !contains(frame, piece) : !overlaps(frame, piece);
  const met = pieces.flatMap((piece) =>
    [...others, ...frames.filter((frame) => isClosed(frame, piece))].map((other) => waysOnto(piece, other)),
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

/** The way by which they lie across the edge of no frame any more, in it or beside it, where that is near; `there` is all else. */
function wayOffEdges(
  pieces: readonly Rectangle[],
  frames: readonly Rectangle[],
  there: readonly Rectangle[],
): Point {
  const stay = { x: 0, y: 0 };
  const cut = frames.filter((frame) => pieces.some((piece) => isAcross(piece, frame)));
  if (cut.length === 0) return stay;
  const isFree = (by: Point) =>
    pieces.every((piece) => {
      const place = shifted(piece, by);
      return there.every((other) => !overlaps(place, other) || contains(other, place));
    });
  const inside = cut.map((frame) => wayInto(bounds(pieces), frame)).filter(isFree);
  const met = pieces.flatMap((piece) =>
    there.filter((other) => !contains(other, piece)).map((other) => waysOnto(piece, other)),
  );
  const beside = nearestFree({ ...stay, width: 0, height: 0 }, met, { gap: leastGap, fits: isFree });
  const [found] = [...inside, ...(beside ? [beside] : [])].sort(
    (one, other) => lengthOf(one) - lengthOf(other),
  );
  return found && lengthOf(found) <= farthest ? { x: Math.round(found.x), y: Math.round(found.y) } : stay;
}

/** How far a box has to go to lie in a frame, below its title, where that is large enough. */
function wayInto(box: Rectangle, { x, y, width, height }: Rectangle): Point {
  const into = (from: number, length: number, least: number, most: number) =>
    Math.max(least, Math.min(from, most - length)) - from;
  return {
    x: into(box.x, box.width, x + framePadding, x + width - framePadding),
    y: into(box.y, box.height, y + frameHeading, y + height - framePadding),
  };
}

function lengthOf({ x, y }: Point): number {
  return Math.abs(x) + Math.abs(y);
}
