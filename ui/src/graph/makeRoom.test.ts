import { describe, expect, it } from "vitest";
import type { Graph, GraphGroup, GraphNode, Rectangle } from "./graph";
import { type Growth, makeRoom } from "./makeRoom";
import { imageNode } from "./testNodes";

const graph = (nodes: GraphNode[], groups: GraphGroup[] = []): Pick<Graph, "nodes" | "groups"> => ({
  nodes,
  groups,
});

const around = (title: string, ids: string[], bounds: Rectangle): GraphGroup => ({
  title,
  nodes: ids,
  bounds,
});

/** 300 wide and 130 high, with its title bar above 0. */
const from = { x: 0, y: -30, width: 300, height: 130 };
const grownBy = (width: number, height: number): Pick<Growth, "from" | "to"> => ({
  from,
  to: { ...from, width: from.width + width, height: from.height + height },
});

function placesIn(nodes: GraphNode[], groups: GraphGroup[], growth: Growth) {
  const { positions, frames } = makeRoom(graph(nodes, groups), growth);
  return { moved: Object.fromEntries(positions), frames: Object.fromEntries(frames) };
}

describe("room for what grows in its place", () => {
  it("moves nothing where nothing is in the way", () => {
    const nodes = [imageNode("left", { x: -400, y: 0 }), imageNode("far", { x: 900, y: 0 })];
    expect(placesIn(nodes, [], grownBy(400, 400))).toEqual({ moved: {}, frames: {} });
  });

  it("pushes right what is in its rows and down what is in its columns, as clear as it stood", () => {
    const nodes = [
      imageNode("left", { x: -400, y: 0 }),
      imageNode("above", { x: 300, y: -200 }),
      imageNode("right", { x: 330, y: 0 }),
      imageNode("below", { x: 0, y: 150 }),
    ];
    expect(placesIn(nodes, [], grownBy(400, 200))).toEqual({
      moved: { right: { x: 730, y: 0 }, below: { x: 0, y: 350 } },
      frames: {},
    });
  });

  it("pushes on what that would meet, and keeps all that goes right in its places to one another", () => {
    const nodes = [
      imageNode("right", { x: 330, y: 0 }),
      imageNode("next", { x: 680, y: 20 }),
      imageNode("apart", { x: 1800, y: 0 }),
    ];
    expect(placesIn(nodes, [], grownBy(400, 0)).moved).toEqual({
      right: { x: 730, y: 0 },
      next: { x: 1080, y: 20 },
    });
  });

  it("pushes what stands right and below it to the nearer side, but behind what feeds it", () => {
    const beside = imageNode("beside", { x: 330, y: 0 });
    const corner = (sources: string[]) => imageNode("corner", { x: 340, y: 200 }, { sources });
    expect(placesIn([beside, corner([])], [], grownBy(400, 200)).moved).toEqual({
      beside: { x: 730, y: 0 },
      corner: { x: 340, y: 370 },
    });
    const feeding = imageNode("beside", { x: 10, y: 200 });
    const fed = imageNode("corner", { x: 340, y: 200 }, { sources: ["beside"] });
    expect(placesIn([feeding, fed], [], grownBy(400, 100)).moved).toEqual({
      beside: { x: 10, y: 270 },
      corner: { x: 340, y: 270 },
    });
    expect(
      placesIn(
        [beside, imageNode("corner", { x: 640, y: 200 }, { sources: ["beside"] })],
        [],
        grownBy(400, 200),
      ).moved,
    ).toEqual({ beside: { x: 730, y: 0 }, corner: { x: 1040, y: 200 } });
  });

  it("keeps wires forward that leave its rows, and those of what is told to stand behind it", () => {
    const nodes = [
      imageNode("right", { x: 330, y: 0 }),
      imageNode("high", { x: 700, y: -500 }, { sources: ["right"] }),
      imageNode("tied", { x: 400, y: -900 }),
    ];
    const rightOf = new Map([["tied", 500]]);
    expect(placesIn(nodes, [], { ...grownBy(400, 0), rightOf }).moved).toEqual({
      right: { x: 730, y: 0 },
      high: { x: 1100, y: -500 },
      tied: { x: 800, y: -900 },
    });
  });

  it("pushes groups whole", () => {
    const nodes = [imageNode("in", { x: 350, y: 0 }), imageNode("low", { x: 350, y: 900 })];
    const group = around("Group", ["in", "low"], { x: 340, y: -70, width: 320, height: 1100 });
    expect(placesIn(nodes, [group], grownBy(400, 0))).toEqual({
      moved: { in: { x: 750, y: 0 }, low: { x: 750, y: 900 } },
      frames: { 0: { x: 740, y: -70, width: 320, height: 1100 } },
    });
  });

  it("lets the frames grow in which it lies, which push what is outside", () => {
    const nodes = [
      imageNode("in", { x: 330, y: 0 }),
      imageNode("beside", { x: 680, y: 0 }),
      imageNode("below", { x: 0, y: 180 }),
    ];
    const home = around("Home", ["in", "self"], { x: -10, y: -70, width: 660, height: 200 });
    const outer = around("Outer", ["in", "self", "beside"], { x: -20, y: -110, width: 1020, height: 250 });
    expect(placesIn(nodes, [outer, home], { ...grownBy(100, 100), homes: [outer, home] })).toEqual({
      moved: { in: { x: 430, y: 0 }, beside: { x: 770, y: 0 }, below: { x: 0, y: 260 } },
      frames: {
        0: { x: -20, y: -110, width: 1100, height: 330 },
        1: { x: -10, y: -70, width: 750, height: 280 },
      },
    });
  });
});
