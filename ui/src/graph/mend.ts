/** A layout as it is, but for what lies on something, what stands far from what it is joined to, and parts far apart. */

import {
  type Around,
  type BlockPlace,
  type BlockPlaces,
  cornersOf,
  movedBy,
  movedTo,
  standing,
} from "./blockPlaces";
import type { Block } from "./blocks";
import { insideOf } from "./frames";
import { nearestFree } from "./freePlace";
import type { Graph, Point, Rectangle } from "./graph";
import { moveNearer } from "./nearer";
import { bounds, contains, overlaps } from "./placement";
import { straightened } from "./straighten";

/** What lay on something is so far from it afterwards. */
const gap = 20;
/** What stands no further beside a column belongs into it. */
const mostAside = 200;
/** Further than this nothing goes to stay in its frame. */
const farthest = 500;
/** Where more than so many lie on others, or every second, there is no order to keep. */
const most = 20;
/** Parts that lie so far apart come so near. */
const widestGap = 600;
const partGap = 80;

/** Where the blocks go; undefined where so many lie on one another that there is no order to keep. */
export function mended(
  blocks: readonly Block[],
  graph: Graph,
  around: Around,
): Map<Block, Point> | undefined {
  const places = tidied(standing(blocks), around);
  if (!places) return undefined;
  moveNearer(places, graph, around);
  return cornersOf(around.obstacles.length > 0 ? places : withoutGaps(places));
}

/** The same without moving anything nearer to what its wires join it to. */
export function apart(blocks: readonly Block[], frame?: Rectangle): Map<Block, Point> | undefined {
  const places = tidied(standing(blocks), { obstacles: [], frame });
  return places && cornersOf(places);
}

/** Columns of a frame are straightened only where something had to move: what is in order stays as its author made it. */
function tidied(places: BlockPlaces, around: Around): BlockPlaces | undefined {
  const after = clear(framed(places, around), around);
  const isMoved = after && [...after.values()].some(({ by }) => by.x !== 0 || by.y !== 0);
  return isMoved && around.frame ? straightened(after, around.frame, around.obstacles) : after;
}

/** What sticks out of its frame goes back, in line with what stands there, where there is room in the frame. */
function framed(places: BlockPlaces, { obstacles, frame }: Around): BlockPlaces {
  if (!frame) return places;
  const inside = insideOf(frame);
  const settled = new Map(places);
  for (const [block, place] of places) {
    if (!isOut(place, { frame })) continue;
    const box = bounds(place.boxes);
    const rest = [...settled].flatMap(([each, { boxes }]) => (each === block ? [] : boxes));
    const wish = within(inside, { ...box, x: lineNear(box, rest) });
    const fits = (free: Rectangle) => contains(inside, free) && isNear(box, free);
    const free = nearestFree(wish, [...rest, ...obstacles], { gap, fits });
    if (free) settled.set(block, movedTo(place, free));
  }
  return settled;
}

function isOut({ boxes }: BlockPlace, { frame }: Pick<Around, "frame">): boolean {
  return frame !== undefined && !contains(frame, bounds(boxes));
}

function isNear(one: Point, other: Point): boolean {
  return Math.abs(one.x - other.x) + Math.abs(one.y - other.y) <= farthest;
}

/** Where the nearest of the others begins, if that is near. */
function lineNear({ x }: Point, others: readonly Rectangle[]): number {
  const aside = (other: Point) => Math.abs(other.x - x);
  const [nearest] = [...others].sort((one, other) => aside(one) - aside(other));
  return nearest && aside(nearest) <= mostAside ? nearest.x : x;
}

function within(whole: Rectangle, box: Rectangle): Rectangle {
  return {
    ...box,
    x: Math.max(whole.x, Math.min(box.x, whole.x + whole.width - box.width)),
    y: Math.max(whole.y, Math.min(box.y, whole.y + whole.height - box.height)),
  };
}

/** Pushes on what lies on something, or moves the smaller ones to free places: whichever moves less. */
function clear(places: BlockPlaces, around: Around): BlockPlaces | undefined {
  const lying = lyingOn(places, around.obstacles);
  if (lying.size > most || 2 * lying.size > places.size) return undefined;
  if (lying.size === 0) return places;
  const distance = (after: BlockPlaces) =>
    [...after.values()].reduce((sum, { by }) => sum + Math.abs(by.x) + Math.abs(by.y), 0);
  const outside = (after: BlockPlaces) => [...after.values()].filter((place) => isOut(place, around)).length;
  const [first, second] = [pushedOn(places), movedAside(places, lying, around)];
  const isBetter = second && (outside(second) - outside(first) || distance(second) - distance(first)) <= 0;
  return isBetter ? second : first;
}

/** Of two blocks the smaller one. */
function lyingOn(places: BlockPlaces, obstacles: readonly Rectangle[]): Set<Block> {
  const area = ({ boxes }: BlockPlace) => bounds(boxes).width * bounds(boxes).height;
  const lying = new Set<Block>();
  const settled = [...obstacles];
  for (const [block, place] of [...places].sort(([, one], [, other]) => area(other) - area(one))) {
    if (meeting(place.boxes, settled)) lying.add(block);
    else settled.push(...place.boxes);
  }
  return lying;
}

function pushedOn(places: BlockPlaces): BlockPlaces {
  const corner = ({ boxes }: BlockPlace) => bounds(boxes);
  const settled: BlockPlaces = new Map();
  const inOrder = [...places].sort(
    ([, one], [, other]) => corner(one).y - corner(other).y || corner(one).x - corner(other).x,
  );
  for (const [block, from] of inOrder) {
    let place = from;
    for (;;) {
      const others = [...settled.values()].flatMap(({ boxes }) => boxes);
      const [box, other] = meeting(place.boxes, others) ?? [];
      if (!box || !other) break;
      const right = other.x + other.width + gap - box.x;
      const down = other.y + other.height + gap - box.y;
      place = movedBy(place, right < down ? { x: right, y: 0 } : { x: 0, y: down });
    }
    settled.set(block, place);
  }
  return settled;
}

function movedAside(
  places: BlockPlaces,
  lying: ReadonlySet<Block>,
  { obstacles, room, frame }: Around,
): BlockPlaces | undefined {
  const settled = new Map(places);
  for (const block of lying) {
    const place = places.get(block);
    if (!place) continue;
    const rest = [...settled].flatMap(([each, { boxes }]) => (each === block ? [] : boxes));
    const now = bounds(place.boxes);
    const freeWhere = (fits: (box: Rectangle) => boolean) =>
      nearestFree(now, [...rest, ...obstacles], { gap, fits });
    const free =
      (frame && freeWhere((box) => contains(insideOf(frame), box) && isNear(now, box))) ??
      freeWhere((box) => !room || contains(room, box));
    if (!free) return undefined;
    settled.set(block, movedTo(place, free));
  }
  return settled;
}

function meeting(
  boxes: readonly Rectangle[],
  others: readonly Rectangle[],
): [Rectangle, Rectangle] | undefined {
  for (const box of boxes) {
    const other = others.find((each) => overlaps(box, each));
    if (other) return [box, other];
  }
  return undefined;
}

/** Parts that lie apart come nearer, with all that stands beyond them. */
function withoutGaps(places: BlockPlaces): BlockPlaces {
  const closed = (before: BlockPlaces, start: "x" | "y", length: "width" | "height"): BlockPlaces => {
    const edge = (place: BlockPlace) => bounds(place.boxes)[start];
    const after: BlockPlaces = new Map();
    let [end, closer] = [Number.NaN, 0];
    for (const [block, place] of [...before].sort(([, one], [, other]) => edge(one) - edge(other))) {
      const room = edge(place) - end;
      if (room > widestGap) closer += room - partGap;
      after.set(block, movedBy(place, { x: 0, y: 0, [start]: -closer }));
      end = Math.max(Number.isNaN(end) ? edge(place) : end, edge(place) + bounds(place.boxes)[length]);
    }
    return after;
  };
  return closed(closed(places, "x", "width"), "y", "height");
}
