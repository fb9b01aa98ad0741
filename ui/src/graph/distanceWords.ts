import type { Point } from "./graph";

/** `120 px right and 400 px down`, in whole pixels. */
export function distanceWords(by: Point): string {
  const [x, y] = [Math.round(by.x), Math.round(by.y)];
  const ways = [
    ...(x === 0 ? [] : [`${Math.abs(x)} px ${x < 0 ? "left" : "right"}`]),
    ...(y === 0 ? [] : [`${Math.abs(y)} px ${y < 0 ? "up" : "down"}`]),
  ];
  return ways.join(" and ");
}
