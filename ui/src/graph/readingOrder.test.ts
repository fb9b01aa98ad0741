import { expect, it } from "vitest";
import { inReadingOrder } from "./readingOrder";

it("goes from top to bottom, and from left to right where some stand beside one another", () => {
  const box = (x: number, y: number) => ({ x, y, width: 300, height: 200 });
  const boxes = { "lower left": box(0, 400), right: box(500, 0), left: box(0, 60), lower: box(500, 380) };
  const order = inReadingOrder(
    ["without", ...Object.keys(boxes)],
    (each) => boxes[each as keyof typeof boxes],
  );
  expect(order).toEqual(["left", "right", "lower left", "lower", "without"]);
});
