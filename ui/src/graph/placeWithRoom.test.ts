import { expect, it } from "vitest";
import type { Graph, GraphNode, NodeId, Rectangle } from "./graph";
import { placeGrouped } from "./placeGrouped";
import { contains, outline, overlaps } from "./placement";
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
    moved: ends,
    groups: frames,
  } = placeGrouped(
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

it("a chain stands as one where what else feeds it stands behind its end already", () => {
  const nodes = [...before(), node("more", 0, 0, ["new", "text"]), node("text", 100, -800)];
  nodes[1] = node("end", 360, 0, ["more"]);
  const { ends, box } = placed(nodes, [], ["new", "more"]);
  expect([box("new").x, box("more").x, ends.get("end")?.x]).toEqual([360, 720, 1080]);
});

it("an end moves for what stands behind a group beside its source, over many columns", () => {
  const group = { title: "wide", nodes: ["b"], bounds: { x: 360, y: -600, width: 500, height: 1300 } };
  const others = Array.from({ length: 9 }, (_, index) =>
    node(`c${index}`, 380 + 20 * index, 900 + 200 * index),
  );
  const nodes = [node("a", 0, 0), node("end", 900, 0, ["new"]), node("new", 0, 0, ["a"]), node("b", 370, 0)];
  const { box, ends } = placed([...nodes, ...others], [group]);
  expect([box("new").y, [...ends.keys()]]).toEqual([-30, ["end"]]);
});

it("a long chain goes below where room in the row would push much far away", () => {
  const ids = ["new", "second", "third", "fourth"];
  const chain = ids.slice(1).map((id, index) => node(id, 0, 0, [ids[index] ?? ""]));
  const behind = [node("c", 720, 0, ["end"]), node("d", 1080, 0, ["c"]), node("e", 1440, 0, ["d"])];
  const nodes = [node("a", 0, 0), node("end", 360, 0, ["fourth"]), node("new", 0, 0, ["a"])];
  const { ends, box, isFree } = placed([...nodes, ...chain, ...behind], [], ids);
  expect([ends.size, isFree, new Set(ids.map((id) => box(id).y)).size]).toEqual([0, true, 1]);
});

it("it stays where there is room before it", () => {
  const { ends } = placed([node("a", 0, 0), node("end", 800, 0, ["new"]), node("new", 0, 0, ["a"])]);
  expect(ends.size).toBe(0);
});

it.each([
  ["what hangs on it", before(node("c", 720, 0, ["end"]), node("d", 720, 300, ["end"])), ["end", "c", "d"]],
  ["what stands in its way", before(node("c", 700, 0)), ["end", "c"]],
  [
    "what it leads back to under it",
    before(node("d", 720, 0, ["end"]), node("under", 400, 300, ["d"])),
    ["end", "d", "under"],
  ],
  ["a note under it", before(node("note", 360, 150, [], 40)), ["end", "note"]],
])("%s goes along", (_, nodes, moved) => {
  const wireless = nodes.map((each) => (each.id === "note" ? { ...each, outputs: [] } : each));
  const { ends, isFree } = placed(wireless);
  expect([[...ends.keys()].sort(), isFree]).toEqual([moved.sort(), true]);
});

it("in a column it moves down, and what is put in takes its place", () => {
  const nodes = [node("a", 0, 0), node("end", 10, 200, ["new"]), node("new", 0, 0, ["a"])];
  const { ends, box } = placed(nodes);
  expect([box("new").x, box("new").y, ends.get("end")]).toEqual([10, 170, { x: 10, y: 350 }]);
});

it("in a column it does so, too, where what is put in feeds others right of that or back", () => {
  const nodes = [
    node("a", 0, 0),
    node("end", 10, 200, ["new"]),
    node("new", 0, 0, ["a"]),
    node("right", 500, 0, ["new"]),
    node("back", 0, -300, ["new"]),
  ];
  const { ends, box } = placed(nodes);
  expect([box("new").x, box("new").y, ...ends.keys()]).toEqual([10, 170, "end"]);
});

it("a long chain goes into a row, also where its end stands under what feeds it", () => {
  const ids = ["new", "second", "third", "fourth", "fifth"];
  const chain = ids.slice(1).map((id, index) => node(id, 0, 0, [ids[index] ?? ""]));
  const nodes = [node("a", 0, 0), node("end", 10, 200, ["fifth"]), node("new", 0, 0, ["a"]), ...chain];
  const groups = [{ title: "in", nodes: ["a", "end"], bounds: { x: -10, y: -70, width: 330, height: 380 } }];
  const { box, ends, isFree } = placed(nodes, groups, ids);
  expect([new Set(ids.map((id) => box(id).y)).size, isFree]).toEqual([1, true]);
  expect(ends.get("end")?.x).toBe(box("fifth").x + 360);
});

it("one much wider than what stands under its source goes beside that, and the other behind it", () => {
  const wide = { ...node("new", 0, 0, ["a"]), size: { width: 900, height: 400 } };
  const nodes = [node("a", 0, 0), node("end", 10, 200, ["new"]), wide];
  const groups = [{ title: "in", nodes: ["a", "end"], bounds: { x: -10, y: -70, width: 330, height: 380 } }];
  const { box, ends, isFree } = placed(nodes, groups);
  expect([box("new").x, ends.get("end"), isFree]).toEqual([360, { x: 1320, y: 200 }, true]);
});

it("what finds no place beside its source stands under another that feeds the same", () => {
  const nodes = [
    ...[node("a", 0, 0), node("text", 360, -100, ["a"], 400), node("end", 720, 0, ["guider", "steps"])],
    ...[node("guider", 0, 0, ["a", "text"]), node("steps", 0, 0, ["a"])],
  ];
  const { box, isFree } = placed(nodes, [], ["guider", "steps"]);
  const { x, y, height } = box("guider");
  expect([box("steps").x, box("steps").y, isFree]).toEqual([x, y + height + 20, true]);
});

it("nothing moves where the batch says itself where the end goes", () => {
  expect(placed(before(), [], ["new"], ["end"]).ends.size).toBe(0);
});

it("what feeds it moves back where the batch holds something behind it", () => {
  const { ends, box, isFree } = placed(before(node("save", 700, 40, ["end"])), [], ["new"], ["save"]);
  expect([[...ends], box("new").x, isFree]).toEqual([[["a", { x: -360, y: 0 }]], 0, true]);
});

it("what feeds it moves back where many would have to make room", () => {
  const many = Array.from({ length: 8 }, (_, index) => node(`s${index}`, 720, 150 * index, ["end"]));
  const { ends, isFree } = placed(before(...many));
  expect([[...ends.keys()], isFree]).toEqual([["a"], true]);
});

it.each([
  ["changes a model comes behind its loader into the group", "MODEL", 680, []],
  ["changes a model comes behind another that does so into the group", "MODEL", 680, ["loader"]],
  ["is made with it stays out of the group of the loader", "LATENT", undefined, []],
])("what %s", (_, type, width, loaders) => {
  const groups = [{ title: "Models", nodes: ["a"], bounds: { x: -10, y: -70, width: 320, height: 200 } }];
  const nodes = before(...loaders.map((id) => node(id, -400, 0)));
  nodes[0] = node("a", 0, 0, loaders);
  for (const output of nodes[0]?.outputs ?? []) output.type = "MODEL";
  for (const output of nodes[2]?.outputs ?? []) output.type = type;
  const { frames, ends } = placed(nodes, groups);
  expect([frames.get(0)?.width, ends.size > 0]).toEqual([width, true]);
});

it("a group that the new node does not come into moves as a whole", () => {
  const nodes = before(node("b", 0, 300), node("c", 360, 300));
  nodes[2] = node("new", 0, 0, ["a", "b"]);
  nodes[0] = node("a", 0, 0, ["b"]);
  const groups = [{ title: "Out", nodes: ["end", "c"], bounds: { x: 350, y: -70, width: 320, height: 500 } }];
  const { ends, frames, isFree } = placed(nodes, groups);
  expect([[...ends.keys()].sort(), isFree]).toEqual([["c", "end"], true]);
  expect(frames.get(0)).toEqual({ x: 710, y: -70, width: 320, height: 500 });
});

it.each([
  ["stays where it begins left of that", -410, ["end"]],
  ["goes along where it begins with that", 370, ["end", "under"]],
])("a group under an end that feeds it %s", (_, x, moved) => {
  const nodes = before(node("under", 380, 300, ["end"]));
  const bounds = { x, y: 230, width: 690 - x, height: 180 };
  const { ends } = placed(nodes, [{ title: "g", nodes: ["under"], bounds }]);
  expect([...ends.keys()]).toEqual(moved);
});

it("an end moves for a chain of which a part comes into the frame of what feeds that", () => {
  const nodes = before(node("b", 0, 300), node("part", 0, 0, ["b"]));
  nodes[2] = node("new", 0, 0, ["a", "part"]);
  const groups = [{ title: "in", nodes: ["b"], bounds: { x: -10, y: 230, width: 700, height: 180 } }];
  const { ends, box, isFree } = placed(nodes, groups, ["new", "part"]);
  expect([box("part").x, box("part").y, isFree]).toEqual([360, 270, true]);
  expect(ends.get("end")?.x).toBe(box("new").x + 360);
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

it("a group that is in the way moves on", () => {
  const groups = [
    { title: "own", nodes: ["a", "end"], bounds: { x: -10, y: -70, width: 680, height: 180 } },
    { title: "other", nodes: ["c"], bounds: { x: 700, y: 0, width: 400, height: 400 } },
  ];
  const { ends, frames } = placed(before(node("c", 750, 100)), groups);
  expect([[...ends.keys()].sort(), frames.get(1)]).toEqual([
    ["c", "end"],
    { x: 1060, y: 0, width: 400, height: 400 },
  ]);
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

it("what a node that takes the place of a smaller one would cover goes down, and its group grows", () => {
  const nodes = [
    node("a", 0, 0),
    node("b", 400, 0, ["a"], 300),
    node("below", 400, 150),
    node("c", 800, 0, ["b"]),
  ];
  const groups = [
    { title: "in", nodes: ["b", "below"], bounds: { x: 390, y: -70, width: 320, height: 340 } },
  ];
  const old = outline(node("b", 400, 0));
  const { box, ends, frames, isFree } = placed(nodes, groups, ["b"], [], old);
  expect([box("b").x, box("b").y, ends.get("below"), isFree]).toEqual([400, -30, { x: 400, y: 350 }, true]);
  expect(frames.get(0)).toEqual({ x: 390, y: -70, width: 320, height: 530 });
});

it("those that share one place stand under each other", () => {
  const nodes = [
    node("one", 0, 0),
    node("two", 0, 0),
    node("under", 0, 150),
    node("end", 400, 0, ["one", "two"]),
  ];
  const { box, ends, isFree } = placed(nodes, [], ["one", "two"], [], outline(node("old", 0, 0)));
  expect([box("one").y, box("two").y, ends.get("under")?.y, isFree]).toEqual([-30, 120, 300, true]);
});

it("a column of what changes a model goes on, in the group that has it", () => {
  const nodes = [
    ...[node("first", 0, 0), node("second", 0, 150, ["first"]), node("below", 0, 400)],
    ...[node("end", 400, 0, ["new"]), node("new", 0, 0, ["second"])],
  ];
  const groups = [
    { title: "column", nodes: ["first", "second"], bounds: { x: -10, y: -70, width: 320, height: 330 } },
    { title: "below", nodes: ["below"], bounds: { x: -10, y: 330, width: 320, height: 180 } },
  ];
  for (const output of nodes.at(-1)?.outputs ?? []) output.type = "MODEL";
  const { box, ends, frames } = placed(nodes, groups);
  expect([box("new").x, box("new").y, [...ends.keys()]]).toEqual([0, 270, ["below"]]);
  expect([frames.get(0)?.height, frames.get(1)?.y]).toEqual([480, 480]);
});

it.each([
  ["grows for what comes beside it and belongs to it", ["a"], { x: -10, y: -70, width: 680, height: 180 }],
  ["stays where that is linked to others as well", ["a", "far"], undefined],
])("a group %s", (_, sources, frame) => {
  const nodes = [node("a", 0, 0), node("far", 0, 3000), node("new", 0, 0, sources)];
  const groups = [{ title: "in", nodes: ["a"], bounds: { x: -10, y: -70, width: 320, height: 180 } }];
  expect(placed(nodes, groups).frames.get(0)).toEqual(frame);
});

it("loaders stand under that which is there in their order, and all of them come into its frame", () => {
  const loader = (id: NodeId, sources: NodeId[] = []) => {
    const each = node(id, 0, 0, sources);
    return { ...each, outputs: each.outputs.map((output) => ({ ...output, type: "MODEL" })) };
  };
  const nodes = [loader("a"), node("end", 400, 0, ["a", "one", "two"]), loader("one"), loader("two")];
  const groups = [{ title: "in", nodes: ["a"], bounds: { x: -10, y: -70, width: 320, height: 180 } }];
  const { box, frames } = placed(nodes, groups, ["one", "two"]);
  expect([box("one").y, box("two").y, frames.get(0)]).toEqual([
    120,
    270,
    { x: -10, y: -70, width: 320, height: 480 },
  ]);
});

it("a loader stands in the column of the others, not beside what stands there", () => {
  const loader = (id: NodeId) => {
    const each = node(id, 0, 0);
    return { ...each, outputs: each.outputs.map((output) => ({ ...output, type: "VAE" })) };
  };
  const others = [node("note", 0, 150), node("more", 0, 300), node("most", 0, 450)];
  const nodes = [loader("a"), node("end", 400, 0, ["a", "new"]), loader("new"), ...others];
  const { box } = placed(nodes);
  expect(box("new").x).toBe(0);
});

it("it moves no further than the node between takes, whose own loaders find their place after it", () => {
  const nodes = [
    ...[node("a", 0, 0), node("end", 360, 0, ["new"]), node("new", 0, 0, ["a", "one", "two"])],
    ...[node("one", 0, 0), node("two", 0, 0)],
  ];
  const { ends, box, isFree } = placed(nodes, [], ["new", "one", "two"]);
  expect([box("new").x, ends.get("end")?.x, isFree]).toEqual([360, 720, true]);
  expect([box("one").x, box("two").x].every((x) => x < 360)).toBe(true);
});

it("few nodes go on where one would else stand far above or below all others", () => {
  const wall = { title: "wall", nodes: [], bounds: { x: 340, y: -1000, width: 420, height: 2000 } };
  const nodes = [node("a", 0, 0), node("end", 780, 0, ["new"]), node("new", 0, 0, ["a"])];
  const { ends, box } = placed(nodes, [wall]);
  expect([box("new").y, ends.has("end")]).toEqual([-30, true]);
});

it("those that run alike from nodes under each other stand under each other, a little up where something is in the way", () => {
  const nodes = [
    ...[node("a", 0, 0), node("b", 0, 135), node("end", 360, 0, ["new"]), node("other", 700, 135, ["more"])],
    ...[node("new", 0, 0, ["a"]), node("more", 0, 0, ["b"])],
  ];
  const below = { title: "below", nodes: [], bounds: { x: 340, y: 250, width: 340, height: 300 } };
  const { box, ends, isFree } = placed(nodes, [below], ["new", "more"]);
  expect([box("new"), box("more")].map(({ x, y }) => ({ x, y }))).toEqual([
    { x: 360, y: -40 },
    { x: 360, y: 110 },
  ]);
  expect([[...ends.keys()].sort(), isFree]).toEqual([["end", "other"], true]);
});

it("what feeds a new node that stands in a frame comes into that, too", () => {
  const nodes = [
    node("a", 0, 0),
    node("end", 700, 0, ["new"]),
    node("new", 0, 0, ["a", "more"]),
    node("more", 0, 0),
  ];
  const group = { title: "g", nodes: ["a", "end"], bounds: { x: -10, y: -70, width: 1020, height: 190 } };
  const { box, frames } = placed(nodes, [group], ["new", "more"]);
  const frame = frames.get(0);
  expect(frame && ["new", "more"].every((id) => contains(frame, box(id)))).toBe(true);
});
