import { expect, it } from "vitest";
import type { Graph, GraphNode, Rectangle } from "./graph";
import { placeBeside } from "./placeBeside";
import { imageNode } from "./testNodes";

const size = { width: 300, height: 100 };

function placeIn(nodes: GraphNode[], frames: Rectangle[] = []) {
  const groups = frames.map((bounds) => ({ title: "", nodes: ["1"], bounds }));
  const graph: Graph = { scope: { kind: "workflow" }, nodes, groups, selection: [] };
  return placeBeside(graph, nodes[0] as GraphNode, size);
}

const host = imageNode("1", { x: 0, y: 0 });
const under = imageNode("2", { x: 0, y: 140 });
const over = imageNode("3", { x: 0, y: -140 });
const right = imageNode("4", { x: 310, y: 0 });
const left = imageNode("5", { x: -310, y: 0 });

it("stands under the node, else over it, right of it or left", () => {
  expect(placeIn([host])).toEqual({ x: 0, y: 150 });
  expect(placeIn([host, under])).toEqual({ x: 0, y: -150 });
  expect(placeIn([host, under, over])).toEqual({ x: 320, y: 0 });
  expect(placeIn([host, under, over, right])).toEqual({ x: -320, y: 0 });
});

it("stands near where all four sides are taken", () => {
  const { x, y } = placeIn([host, under, over, right, left]);
  expect(Math.abs(x) + Math.abs(y)).toBeLessThan(700);
  expect(Math.abs(x) >= 310 || Math.abs(y) >= 140).toBe(true);
});

it("stands in the frame of its node where that has room, else by the frame", () => {
  const frame = { x: -10, y: -70, width: 320, height: 180 };
  expect(placeIn([host], [{ ...frame, height: 400 }])).toEqual({ x: 0, y: 150 });
  expect(placeIn([host], [{ ...frame, height: 200 }])).toEqual({ x: 0, y: 180 });
});

it("stands at the right edge of a group where something else stands at the left one", () => {
  const bounds = { x: -10, y: -70, width: 620, height: 180 };
  const nodes = [host, over, imageNode("6", { x: -10, y: 160 })];
  const group = { title: "", nodes: ["1"], bounds };
  const graph: Graph = { scope: { kind: "workflow" }, nodes, groups: [group], selection: [] };
  expect(placeBeside(graph, group, size)).toEqual({ x: 310, y: 160 });
});

it("stands at the nearer edge of its frame, in the column of the node", () => {
  const frame = { x: -1000, y: -70, width: 3000, height: 900 };
  expect(placeIn([host, under, right, left], [frame])).toEqual({ x: 0, y: -190 });
});
