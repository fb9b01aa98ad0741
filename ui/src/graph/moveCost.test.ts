import { expect, it } from "vitest";
import type { Graph } from "./graph";
import { moveCost } from "./moveCost";
import { outline } from "./placement";
import { imageNode } from "./testNodes";

const movers = { isNew: () => false, isNamed: () => true };

/** Of a node over or under the one that it feeds, itself fed from this height, by what is fed by these. */
function cost(y: number, feeder: number, sources = ["0"]) {
  const fed = imageNode("2", { x: 0, y: 0 }, { sources: ["1"] });
  const nodes = [
    imageNode("0", { x: -1500, y: 0 }),
    imageNode("1", { x: -900, y: feeder }, { sources }),
    fed,
    imageNode("3", { x: 600, y: 0 }, { sources: ["2"] }),
  ];
  const graph: Graph = { scope: { kind: "workflow" }, nodes, groups: [], selection: [] };
  return moveCost(graph, new Map([["2", { ...outline(fed), x: 600, y: y - 30 }]]), movers);
}

it("costs more to stand under what it feeds than over it, unless its own way comes from below", () => {
  expect(cost(200, 0) > cost(-200, 0)).toBe(true);
  expect(cost(200, 400) < cost(-200, 400)).toBe(true);
});

it("goes by no loader that stands below", () => {
  expect(cost(200, 400, []) > cost(-200, 400, [])).toBe(true);
});
