import { describe, expect, it } from "vitest";
import type { Graph, GraphGroup, GraphNode, Rectangle } from "./graph";
import { placeOfContents, placeOfInstance } from "./placeInstance";
import { imageNode } from "./testNodes";

const graph = (nodes: GraphNode[], groups: GraphGroup[] = []): Graph => ({
  scope: { kind: "workflow" },
  nodes,
  groups,
  selection: [],
});

describe("the node of a new subgraph for which no place was left", () => {
  it("goes where its wires run forward, near the middle", () => {
    const instance = imageNode("9", { x: 400, y: 20 }, { sources: ["1"] });
    const others = [imageNode("1", { x: 0, y: 0 }), imageNode("2", { x: 390, y: 0 })];
    expect(placeOfInstance(graph([...others, instance]), instance, { boxes: [], homes: [] })).toEqual({
      x: 400,
      y: 150,
    });
    const blocked = [...others, imageNode("3", { x: 390, y: 140 }), imageNode("4", { x: 390, y: -140 })];
    expect(placeOfInstance(graph([...blocked, instance]), instance, { boxes: [], homes: [] })).toEqual({
      x: 400,
      y: 290,
    });
  });
});

describe("the node of a new subgraph", () => {
  const instance = imageNode("9", { x: 300, y: 300 }, { sources: ["1"] });
  const source = imageNode("1", { x: 0, y: 0 });
  const others = [source, imageNode("2", { x: 290, y: 290 }), imageNode("3", { x: 600, y: 160 }), instance];
  const placeIn = (group: GraphGroup, boxes: Rectangle[]) =>
    placeOfInstance(graph(others, [group]), instance, { boxes, homes: [group] });
  const box = (x: number, y: number) => ({ x, y, width: 200, height: 100 });
  const frame = (nodes: string[]) => ({
    title: "home",
    nodes,
    bounds: { x: 590, y: -40, width: 400, height: 400 },
  });

  it("goes to the place of the one that went in where its wires are shortest", () => {
    expect(placeIn(frame(["7"]), [box(2000, 0), box(400, 0), box(-400, 0)])).toEqual({ x: 400, y: 30 });
  });

  it("goes into a frame that others are left in, wholly or not at all", () => {
    expect(placeIn(frame(["3", "7"]), [box(600, 0)])).toEqual({ x: 600, y: 30 });
    expect(placeIn(frame(["3", "7"]), [box(420, 0), box(1200, 0)])).toEqual({ x: 1200, y: 30 });
    expect(placeIn(frame(["7"]), [box(420, 0), box(1200, 0)])).toEqual({ x: 420, y: 30 });
  });
});

describe("what comes out of a subgraph", () => {
  const inner = (nodes: GraphNode[], groups: GraphGroup[] = []): Graph => ({
    ...graph(nodes, groups),
    scope: {
      ...{ kind: "subgraph", id: "S", name: "S" },
      outputs: [{ name: "IMAGE", type: "IMAGE", linkedFrom: { node: "6", output: 0, name: "IMAGE" } }],
    },
  });
  const inside = inner([
    imageNode("5", { x: 100, y: 0 }),
    imageNode("6", { x: 500, y: 0 }, { sources: ["5"] }),
  ]);
  const feeding = (node: GraphNode, target: string): GraphNode => ({
    ...node,
    outputs: [{ name: "IMAGE", type: "IMAGE", linkedTo: [{ node: target, input: 0, name: "image0" }] }],
  });

  it("has the places back that it went in from, where nothing is in the way", () => {
    const instance = imageNode("9", { x: 300, y: 5 });
    const near = imageNode("1", { x: 801, y: 0 });
    expect(placeOfContents(graph([instance, near]), instance, inside)).toEqual({
      by: { x: 0, y: 0 },
      positions: new Map(),
      frames: new Map(),
    });
  });

  it("else stands from the corner of the subgraph's node on, and what was right of that goes right", () => {
    const save = imageNode("1", { x: 2340, y: 700 }, { sources: ["9"] });
    const source = imageNode("2", { x: 1600, y: 700 });
    const instance = feeding(imageNode("9", { x: 2000.4, y: 700 }, { sources: ["2"] }), "1");
    expect(placeOfContents(graph([source, instance, save]), instance, inside)).toEqual({
      by: { x: 1900, y: 700 },
      positions: new Map([["1", { x: 2740, y: 700 }]]),
      frames: new Map(),
    });
  });

  it("feeds forward what stood behind the subgraph's node in other rows", () => {
    const save = imageNode("1", { x: 2340, y: -900 }, { sources: ["9"] });
    const instance = feeding(imageNode("9", { x: 2000, y: 700 }), "1");
    const { positions } = placeOfContents(graph([instance, save]), instance, inside);
    expect(positions).toEqual(new Map([["1", { x: 2740, y: -900 }]]));
  });

  it("brings frames of its own, and lets those grow in which the subgraph's node lay", () => {
    const own = { title: "Own", nodes: ["5"], bounds: { x: 80, y: -80, width: 340, height: 190 } };
    const instance = imageNode("9", { x: 2000, y: 700 });
    const home = { title: "Home", nodes: ["9"], bounds: { x: 1990, y: 630, width: 320, height: 180 } };
    expect(placeOfContents(graph([instance], [home]), instance, inner(inside.nodes, [own]))).toEqual({
      by: { x: 1920, y: 750 },
      positions: new Map(),
      frames: new Map([[0, { x: 1990, y: 630, width: 740, height: 240 }]]),
    });
  });
});
