import { expect, it } from "vitest";
import type { Graph, GraphNode, NodeId, Rectangle } from "./graph";
import { placeBeforeEnds } from "./placeBeforeEnds";
import { outline, overlaps } from "./placement";
import { imageNode } from "./testNodes";
import { runsBack } from "./wires";

const node = (id: NodeId, x: number, y: number, sources: readonly NodeId[] = [], height = 100) =>
  imageNode(id, { x, y }, { sources, height });

/** `a` feeds `end`, which feeds nothing; `new` was put between. */
const before = (...others: GraphNode[]) => [
  node("a", 0, 0),
  node("end", 360, 0, ["new"]),
  node("new", 0, 0, ["a"]),
  ...others,
];

function placed(
  nodes: GraphNode[],
  groups: Graph["groups"] = [],
  ids = ["new"],
  held: string[] = [],
  replaced?: Rectangle,
) {
  for (const each of nodes)
    for (const { linkedFrom } of each.inputs)
      nodes
        .find(({ id }) => id === linkedFrom?.node)
        ?.outputs[0]?.linkedTo.push({ node: each.id, input: 0, name: "image0" });
  const graph: Graph = { scope: { kind: "workflow" }, nodes, groups, selection: [] };
  const {
    positions,
    ends,
    groups: frames,
  } = placeBeforeEnds(
    graph,
    new Map(ids.map((id): [NodeId, Rectangle | undefined] => [id, replaced])),
    new Set(held),
  );
  const all = nodes.map((each) => ({
    ...each,
    position: positions.get(each.id) ?? ends.get(each.id) ?? each.position,
  }));
  const box = (id: NodeId) => outline(all.find((each) => each.id === id) as GraphNode);
  const isFree = all.every((one) =>
    all.every((other) => one === other || !overlaps(outline(one), outline(other))),
  );
  return { ends, frames, box, isFree };
}

it("an end moves to the right of what is put in before it", () => {
  const { ends, box, isFree } = placed(before());
  expect([box("new"), ends.get("end")]).toEqual([
    { x: 360, y: -30, width: 300, height: 130 },
    { x: 720, y: 0 },
  ]);
  expect(isFree).toBe(true);
});

it("it moves no further than a chain takes", () => {
  const nodes = [...before(), node("more", 0, 0, ["new"])];
  nodes[1] = node("end", 360, 0, ["more"]);
  const { ends, box } = placed(nodes, [], ["new", "more"]);
  expect([box("new").x, box("more").x, ends.get("end")?.x]).toEqual([360, 720, 1080]);
});

it.each([
  ["there is room before it", [node("a", 0, 0), node("end", 800, 0, ["new"]), node("new", 0, 0, ["a"])]],
  [
    "more hang on it than a tail has",
    before(...["c", "d", "e", "f"].map((id, index) => node(id, 1000, 500 + 200 * index, ["end"]))),
  ],
  ["the canvas right of it is taken", before(node("c", 700, 0))],
  [
    "its wire ran back already, no less",
    [node("a", 0, 0), node("end", 0, 400, ["new"]), node("new", 0, 0, ["a"])],
  ],
])("it stays where %s", (_, nodes) => {
  const { ends, isFree } = placed(nodes);
  expect([ends.size, isFree]).toEqual([0, true]);
});

it("it stays where the batch has put it", () => {
  expect(placed(before(), [], ["new"], ["end"]).ends.size).toBe(0);
});

it("its group becomes wider, with the one around that", () => {
  const groups = [
    { title: "outer", nodes: ["a", "end"], bounds: { x: -30, y: -120, width: 710, height: 260 } },
    { title: "inner", nodes: ["a", "end"], bounds: { x: -10, y: -70, width: 680, height: 180 } },
  ];
  const { ends, frames, box } = placed(before(), groups);
  expect(ends.get("end")).toEqual({ x: 720, y: 0 });
  expect(frames.get(1)).toEqual({ x: -10, y: -70, width: 1040, height: 180 });
  expect(frames.get(0)).toEqual({ x: -30, y: -120, width: 1070, height: 260 });
  expect(runsBack(box("new"), box("end"))).toBe(false);
});

it("it stays in a group that has no room to become wider", () => {
  const groups = [
    { title: "own", nodes: ["a", "end"], bounds: { x: -10, y: -70, width: 680, height: 180 } },
    { title: "other", nodes: ["c"], bounds: { x: 700, y: 0, width: 400, height: 400 } },
  ];
  expect(placed(before(node("c", 750, 100)), groups).ends.size).toBe(0);
});

it("what leads only to ends moves with them as a whole", () => {
  const nodes = before(node("save", 700, 40, ["end"]), node("shown", 700, 300, ["end"]));
  const { ends, isFree } = placed(nodes);
  expect([...ends]).toEqual([
    ["end", { x: 720, y: 0 }],
    ["save", { x: 1060, y: 40 }],
    ["shown", { x: 1060, y: 300 }],
  ]);
  expect(isFree).toBe(true);
});

it("what stands below what feeds it moves on where there is no room between", () => {
  const nodes = [
    node("a", 0, 0, [], 500),
    ...[
      node("end", 100, 540, ["new"], 50),
      node("save", 360, 0, ["end"], 500),
      node("new", 0, 0, ["a"], 200),
    ],
  ];
  const { ends, box, isFree } = placed(nodes);
  expect([box("new").x, ends.get("end"), ends.get("save"), isFree]).toEqual([
    360,
    { x: 720, y: 540 },
    { x: 980, y: 0 },
    true,
  ]);
});

it("it stays where the batch holds something behind it", () => {
  expect(placed(before(node("save", 700, 40, ["end"])), [], ["new"], ["save"]).ends.size).toBe(0);
});

it("a group that has only what moves goes with it", () => {
  const groups = [{ title: "out", nodes: ["save"], bounds: { x: 690, y: -30, width: 320, height: 180 } }];
  const { ends, frames } = placed(before(node("save", 700, 40, ["end"])), groups);
  expect(ends.get("save")).toEqual({ x: 1060, y: 40 });
  expect(frames.get(0)).toEqual({ x: 1050, y: -30, width: 320, height: 180 });
});

it("a tail makes room for what comes before it and for what is put into it", () => {
  const nodes = [...before(), node("save", 700, 0, ["more"]), node("more", 0, 0, ["end"])];
  const { box, isFree } = placed(nodes, [], ["new", "more"]);
  expect([box("new").x, box("end").x, box("more").x, box("save").x]).toEqual([360, 720, 1080, 1440]);
  expect(isFree).toBe(true);
});

it("nothing moves on for a node that is collapsed as the one that it replaces", () => {
  const nodes = [node("a", 0, 0), node("b", 400, 0, ["a"]), node("end", 560, 0, ["b"])];
  const small = { ...node("b", 400, 0, ["a"], 0), size: { width: 130, height: 0 } };
  const { box, ends } = placed(nodes.with(1, small), [], ["b"], [], outline(small));
  expect([box("b").x, box("b").width, ends.size]).toEqual([400, 130, 0]);
});
