import { expect, it } from "vitest";
import { frameAround } from "./frames";
import type { GraphNode, NodeId } from "./graph";
import { placeGrouped } from "./placeGrouped";
import { outline, overlaps } from "./placement";
import { imageNode } from "./testNodes";

const node = (id: NodeId, x: number, y: number, sources: readonly NodeId[] = []) =>
  imageNode(id, { x, y }, { sources });

/** The boxes of all nodes, those of `news` placed, of which `together` come into one frame. */
function placed(nodes: GraphNode[], news: readonly NodeId[], together: readonly NodeId[]) {
  const groups = [{ title: "Together", nodes: [...together] }];
  const { positions } = placeGrouped(
    { scope: { kind: "workflow" }, nodes, groups, selection: [] },
    new Map(news.map((id) => [id, undefined])),
  );
  expect([...positions.keys()].sort()).toEqual([...news].sort());
  return new Map(
    nodes.map((each) => [each.id, outline({ ...each, position: positions.get(each.id) ?? each.position })]),
  );
}

it("the frame around new nodes is free of others, old and new", () => {
  const nodes = [
    node("a", 0, 0),
    node("note", 800, 0),
    node("end", 1600, 150),
    ...[node("one", 0, 0, ["a"]), node("two", 0, 0, ["one"]), node("shown", 0, 0, ["one"])],
  ];
  const boxes = placed(nodes, ["one", "two", "shown"], ["one", "two"]);
  const frame = frameAround(["one", "two"].flatMap((id) => boxes.get(id) ?? []));
  for (const id of ["a", "note", "end", "shown"])
    expect(overlaps(frame, boxes.get(id) ?? frame), id).toBe(false);
});

it("nodes between which another has to stand are placed one by one", () => {
  const nodes = [node("one", 0, 0), node("old", 400, 0, ["one"]), node("two", 0, 0, ["old"])];
  const boxes = placed(nodes, ["one", "two"], ["one", "two"]);
  expect((boxes.get("one")?.x ?? 0) < 400 && (boxes.get("two")?.x ?? 0) > 400).toBe(true);
});

it("those that replace others in one column push each other down", () => {
  const nodes = ["one", "two", "three"].map((id, index) => ({
    ...node(id, 0, 150 * index),
    size: { width: 300, height: index < 2 ? 300 : 100 },
  }));
  const old = nodes.map(({ position }) => outline({ position, size: { width: 300, height: 100 } }));
  const { positions, moved } = placeGrouped(
    { scope: { kind: "workflow" }, nodes, groups: [], selection: [] },
    new Map(nodes.flatMap(({ id }, index) => (index < 2 ? [[id, old[index]] as const] : []))),
  );
  expect(["one", "two"].map((id) => positions.get(id)?.y)).toEqual([0, 350]);
  expect(moved.get("three")?.y).toBe(700);
});

it("moves nothing and leaves frames as they are for one that fits into the place of another", () => {
  const old = { x: 0, y: -30, width: 300, height: 160 };
  const nodes = [node("one", 0, 0), node("below", 0, 150)];
  const groups = [{ title: "Size", nodes: ["one"], bounds: { x: -10, y: -70, width: 320, height: 190 } }];
  expect(
    placeGrouped({ scope: { kind: "workflow" }, nodes, groups, selection: [] }, new Map([["one", old]])),
  ).toEqual({ positions: new Map([["one", { x: 0, y: 0 }]]), moved: new Map(), groups: new Map() });
});

it.each([
  ["goes along with the only node in it", [], [370, 360]],
  ["stays with the others in it", ["left"], [360, -410]],
])("the frame of a node without its old place %s", (_, others, expected) => {
  const nodes = [node("left", -400, 0), node("source", 0, 0), node("old", -400, 300, ["source"])];
  const groups = [
    { title: "Size", nodes: ["old", ...others], bounds: { x: -410, y: -70, width: 320, height: 480 } },
  ];
  const { positions, groups: frames } = placeGrouped(
    { scope: { kind: "workflow" }, nodes, groups, selection: [] },
    new Map([["old", undefined]]),
  );
  expect([positions.get("old")?.x, (frames.get(0) ?? groups[0]?.bounds)?.x]).toEqual(expected);
});
