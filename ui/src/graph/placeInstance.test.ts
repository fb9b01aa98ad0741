import { describe, expect, it } from "vitest";
import type { Graph, GraphGroup, GraphNode } from "./graph";
import { placeOfInstance, settled } from "./placeInstance";
import { imageNode } from "./testNodes";

const graph = (nodes: GraphNode[], groups: GraphGroup[] = []): Graph => ({
  scope: { kind: "workflow" },
  nodes,
  groups,
  selection: [],
});

describe("the node of a new subgraph", () => {
  it("goes where its wires run forward, near the middle", () => {
    const instance = imageNode("9", { x: 400, y: 20 }, { sources: ["1"] });
    const others = [imageNode("1", { x: 0, y: 0 }), imageNode("2", { x: 390, y: 0 })];
    expect(placeOfInstance(graph([...others, instance]), instance, [])).toEqual({ x: 400, y: 150 });
    const blocked = [...others, imageNode("3", { x: 390, y: 140 }), imageNode("4", { x: 390, y: -140 })];
    expect(placeOfInstance(graph([...blocked, instance]), instance, [])).toEqual({ x: 400, y: 290 });
  });
});

describe("what was in a subgraph", () => {
  const inside = [imageNode("5", { x: 100, y: 0 }), imageNode("6", { x: 500, y: 0 }, { sources: ["5"] })];
  const ids = new Set(["5", "6"]);

  it("stays where it lies on no node, be it in a group that it may have come out of", () => {
    const other = imageNode("1", { x: 900, y: 0 });
    const group = { title: "Around", nodes: ["1"], bounds: { x: 450, y: -70, width: 800, height: 300 } };
    expect(settled(graph([...inside, other], [group]), ids, [], [])).toBeUndefined();
  });

  it("goes to the nearest free place as one, with its own frames", () => {
    const own = { title: "Own", nodes: ["5"], bounds: { x: 90, y: -70, width: 320, height: 180 } };
    const before = graph([...inside, imageNode("1", { x: 300, y: 50 })], [own]);
    const place = settled(before, ids, [own], []);
    expect(place).toEqual({
      by: { x: 0, y: -110 },
      positions: new Map([
        ["5", { x: 100, y: -110 }],
        ["6", { x: 500, y: -110 }],
      ]),
      frames: new Map([[0, { ...own.bounds, y: -180 }]]),
    });
  });

  it("lets the frame grow in which the node lay, but onto nothing else", () => {
    const home = { title: "Home", nodes: ["5"], bounds: { x: 90, y: -70, width: 320, height: 180 } };
    expect(settled(graph(inside, [home]), ids, [], [home])).toEqual({
      by: { x: 0, y: 0 },
      positions: expect.any(Map),
      frames: new Map([[0, { ...home.bounds, width: 720 }]]),
    });
  });
});
