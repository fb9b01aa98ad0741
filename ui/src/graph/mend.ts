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
import { nearestFree } from "./freePlace";
import type { Graph, Point, Rectangle } from "./graph";
import { moveNearer } from "./nearer";
import { bounds, contains, overlaps } from "./placement";

/** What lay on something is so far from it afterwards. */
const gap = 20;
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
  const places = clear(standing(blocks), around);
  if (!places) return undefined;
  moveNearer(places, graph, around);
  return cornersOf(around.obstacles.length > 0 ? places : withoutGaps(places));
}

/** The same without moving anything nearer to what its wires join it to. */
export function apart(blocks: readonly Block[]): Map<Block, Point> | undefined {
  const places = clear(standing(blocks), { obstacles: [] });
  return places && cornersOf(places);
}

/** Pushes on what lies on something, or moves the smaller ones to free places: whichever moves less. */
function clear(places: BlockPlaces, around: Around): BlockPlaces | undefined {
  const lying = lyingOn(places, around.obstacles);
  if (lying.size > most || 2 * lying.size > places.size) return undefined;
  if (lying.size === 0) return places;
  const distance = (after: BlockPlaces) =>
    [...after.values()].reduce((sum, { by }) => sum + Math.abs(by.x) + Math.abs(by.y), 0);
  const [first, second] = [pushedOn(places), movedAside(places, lying, around)];
  return second && distance(second) <= distance(first) ? second : first;
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
  { obstacles, room }: Around,
): BlockPlaces | undefined {
  const settled = new Map(places);
  for (const block of lying) {
    const place = places.get(block);
    const rest = [...settled].flatMap(([each, { boxes }]) => (each === block ? [] : boxes));
    const fits = (box: Rectangle) => !room || contains(room, box);
    const free = place && nearestFree(bounds(place.boxes), [...rest, ...obstacles], { gap, fits });
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
