import { expect, it } from "vitest";
import type { Graph, GraphGroup, GraphNode, Rectangle } from "./graph";
import { standingThere, waysOffOthers } from "./placeAsked";
import { imageNode } from "./testNodes";

const graph = (nodes: GraphNode[], groups: GraphGroup[] = []): Graph => ({
  scope: { kind: "workflow" },
  nodes,
  groups,
  selection: [],
});

const there = imageNode("1", { x: 0, y: 0 });

it("leaves what lies on nothing where it was asked to be, also in a frame", () => {
  const frame = { x: -20, y: -80, width: 700, height: 300 };
  const group = { title: "Frame", nodes: ["1"], bounds: frame };
  const moved = imageNode("2", { x: 305, y: 0 });
  expect(waysOffOthers(graph([there, moved], [group]), ["2"])).toEqual(new Map([["2", { x: 0, y: 0 }]]));
});

it("puts nodes that would lie on another beside it together, as near as can be", () => {
  const moved = [imageNode("2", { x: 20, y: 100 }), imageNode("3", { x: 20, y: 250 })];
  expect(waysOffOthers(graph([there, ...moved]), ["2", "3"])).toEqual(
    new Map([
      ["2", { x: 0, y: 50 }],
      ["3", { x: 0, y: 50 }],
    ]),
  );
});

it("keeps what was asked into a frame within it while there is room", () => {
  const frame = { x: -20, y: -80, width: 700, height: 200 };
  const group = { title: "Frame", nodes: ["1"], bounds: frame };
  const moved = imageNode("2", { x: 40, y: 10 });
  expect(waysOffOthers(graph([there, moved], [group]), ["2"])).toEqual(new Map([["2", { x: 280, y: 0 }]]));
});

it("takes what would lie across the edge of another frame into it or out of it, whichever is nearer", () => {
  const frame = { x: -20, y: -80, width: 1000, height: 300 };
  const group = { title: "Frame", nodes: ["1"], bounds: frame };
  const way = (x: number, nodes = ["1"]) =>
    waysOffOthers(graph([there, imageNode("2", { x, y: 0 })], [{ ...group, nodes }]), ["2"]).get("2");
  expect([way(700), way(950), way(700, ["1", "2"])]).toEqual([
    { x: -30, y: 0 },
    { x: 35, y: 0 },
    { x: 0, y: 0 },
  ]);
});

it("takes what lies on a node and across the edge of another frame off both", () => {
  const other = { title: "Other", nodes: ["1"], bounds: { x: -20, y: -80, width: 340, height: 300 } };
  const moved = imageNode("2", { x: 150, y: 90 });
  expect(waysOffOthers(graph([there, moved], [other]), ["2"]).get("2")).toEqual({ x: 0, y: 180 });
});

it("keeps frames that go along off others", () => {
  const other = { title: "Other", nodes: ["1"], bounds: { x: -20, y: -80, width: 700, height: 300 } };
  const moved = imageNode("2", { x: 0, y: 300 });
  const frame = { x: -20, y: 200, width: 340, height: 250 };
  expect(waysOffOthers(graph([there, moved], [other]), ["2"], [frame])).toEqual(
    new Map([["2", { x: 0, y: 25 }]]),
  );
});

it("takes a frame that goes along across the edge of no other, however far that is", () => {
  const bounds = { x: -20, y: 100, width: 1200, height: 900 };
  const group = { title: "Other", nodes: ["1"], bounds };
  const other = imageNode("1", { x: 0, y: 160 });
  const wayOf = (frame: Rectangle) => {
    const moved = imageNode("2", { x: frame.x + 20, y: frame.y + 60 });
    return waysOffOthers(graph([other, moved], [group]), ["2"], [frame]).get("2");
  };
  expect([
    wayOf({ x: 900, y: 500, width: 500, height: 300 }),
    wayOf({ x: 500, y: 500, width: 400, height: 1000 }),
    wayOf({ x: 400, y: 500, width: 500, height: 300 }),
  ]).toEqual([
    { x: -230, y: 0 },
    { x: 0, y: 520 },
    { x: 0, y: 0 },
  ]);
});

it("names the groups and loose nodes that stand where something was asked to be", () => {
  const group = { title: "Other", nodes: ["1"], bounds: { x: -20, y: -80, width: 700, height: 300 } };
  const loose = imageNode("3", { x: 800, y: 0 });
  const moved = [imageNode("2", { x: 600, y: 0 }), imageNode("4", { x: 900, y: 0 })];
  const there = (groups: GraphGroup[]) =>
    standingThere(graph([imageNode("1", { x: 590, y: 0 }), loose, ...moved], groups), ["2", "4"]);
  expect(there([group])).toEqual([group, loose]);
  const { bounds: _, ...drawnLater } = group;
  expect(there([drawnLater])).toEqual([drawnLater, loose]);
});

it("keeps frames that go along clear, too", () => {
  const moved = imageNode("2", { x: 0, y: 140 });
  const frame = { x: -20, y: 60, width: 340, height: 200 };
  expect(waysOffOthers(graph([there, moved]), ["2"], [frame])).toEqual(new Map([["2", { x: 0, y: 60 }]]));
});

it("puts each aside alone where there is no place near for all of them", () => {
  const walls = [0, 340, 680, 1320, 1640, 1960, 2280].map((x, index) =>
    imageNode(`wall ${index}`, { x, y: -2000 }, { height: 4000 }),
  );
  const moved = [imageNode("2", { x: 10, y: 700 }), imageNode("3", { x: 1000, y: 0 })];
  expect(waysOffOthers(graph([...walls, ...moved]), ["2", "3"])).toEqual(
    new Map([
      ["2", { x: -330, y: 0 }],
      ["3", { x: 0, y: 0 }],
    ]),
  );
});
