import { expect, it } from "vitest";
import { frameBounds } from "./boxes";

it("draws an outer frame around an inner one, whatever their order", () => {
  const box = (x: number) => ({ x, y: 0, width: 300, height: 100 });
  const boxes = new Map([
    ["1", box(0)],
    ["2", box(400)],
  ]);
  const [outer, inner, empty] = [
    { title: "outer", nodes: ["1", "2"] },
    { title: "inner", nodes: ["2"] },
    { title: "empty", nodes: [] },
  ];
  expect([...frameBounds([outer, inner, empty], boxes).values()]).toEqual([
    [-10, -110, 730, 230],
    [390, -70, 320, 180],
    [0, -540, 300, 80],
  ]);
});
