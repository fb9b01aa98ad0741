import { expect, it } from "vitest";
import { Occupied } from "./occupied";
import { overlaps } from "./placement";

/** Always the same numbers between 0 and 1. */
function numbers() {
  let state = 7;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

it("finds what looking at each box finds, small and large ones, far and near", () => {
  const next = numbers();
  const box = () => {
    const size = next() < 0.1 ? 40_000 : 700;
    return {
      x: next() * 20_000 - 10_000,
      y: next() * 20_000 - 10_000,
      width: next() * size,
      height: next() * size,
    };
  };
  const boxes = Array.from({ length: 60 }, box).filter(({ width }) => width < 700 || next() < 0.3);
  const occupied = new Occupied();
  for (const each of boxes) occupied.add(each);
  const answers = Array.from({ length: 3_000 }, () => {
    const [place, apart] = [box(), next() * 30];
    const isMet = boxes.some((other) => overlaps(place, other, apart));
    expect(occupied.isAt(place, apart)).toBe(isMet);
    return isMet;
  });
  expect(new Set(answers).size).toBe(2);
});
