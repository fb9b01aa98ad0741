/** The nearest free place on a canvas for something that has to move. */

import type { Point, Rectangle } from "./graph";
import { overlaps } from "./placement";

/** Places that are looked at in each direction. */
const most = 80;

/** In any direction from where `box` is, at least `gap` clear of the obstacles; undefined where none of those near will do. */
export function nearestFree(
  box: Rectangle,
  obstacles: readonly Rectangle[],
  { gap, fits = () => true }: { gap: number; fits?: (place: Rectangle) => boolean },
): Rectangle | undefined {
  const { width, height } = box;
  const columns = nearest(
    box.x,
    obstacles.flatMap((other) => [Math.ceil(other.x + other.width + gap), Math.floor(other.x - gap - width)]),
  );
  const rows = nearest(
    box.y,
    obstacles.flatMap((other) => [
      Math.ceil(other.y + other.height + gap),
      Math.floor(other.y - gap - height),
    ]),
  );
  const places = columns.flatMap((x) => rows.map((y) => ({ x, y, width, height })));
  const distance = ({ x, y }: Point) => Math.abs(x - box.x) + Math.abs(y - box.y);
  return places
    .sort((one, other) => distance(one) - distance(other))
    .find((place) => !obstacles.some((other) => overlaps(place, other, gap)) && fits(place));
}

function nearest(wish: number, values: readonly number[]): number[] {
  const distance = (value: number) => Math.abs(value - wish);
  return [...new Set([wish, ...values])].sort((one, other) => distance(one) - distance(other)).slice(0, most);
}

/** The shortest way by which all of these come clear of the obstacles together; undefined where none of those near will do. */
export function wayClear(
  pieces: readonly Rectangle[],
  obstacles: readonly Rectangle[],
  options: { gap: number; fits?: (by: Point) => boolean },
): Point | undefined {
  const met = pieces.flatMap((piece) => obstacles.map((other) => waysOnto(piece, other)));
  return nearestFree({ x: 0, y: 0, width: 0, height: 0 }, met, options);
}

/** The ways by which one comes to lie on the other, as a box of points. */
export function waysOnto(one: Rectangle, other: Rectangle): Rectangle {
  return {
    x: other.x - one.x - one.width,
    y: other.y - one.y - one.height,
    width: one.width + other.width,
    height: one.height + other.height,
  };
}
