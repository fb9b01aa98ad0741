import { expect, it } from "vitest";
import type { Graph, GraphNode, NodeId, Point } from "./graph";
import { contains, outline, overlaps } from "./placement";
import { broughtTogether } from "./together";

/** Nodes of 300 by 100 at these places, with ids from 1. */
function graphOf(...places: [number, number][]): Graph {
  const nodes = places.map(
    ([x, y], index): GraphNode => ({
      ...{ id: String(index + 1), type: "EmptyImage", title: "", defaultTitle: "", mode: "active" },
      ...{ isInstalled: true, inputs: [], widgets: [] },
      outputs: [{ name: "IMAGE", type: "IMAGE", linkedTo: [] }],
      position: { x, y },
      size: { width: 300, height: 100 },
    }),
  );
  return { scope: { kind: "workflow" }, nodes, groups: [], selection: [] };
}

/** With the first of these feeding the second. */
function wired(graph: Graph, [from, to]: [NodeId, NodeId]): Graph {
  const input = { name: "in", type: "LATENT", linkedFrom: { node: from, slot: "out" } };
  const nodes = graph.nodes.map((node) => (node.id === to ? { ...node, inputs: [input] } : node));
  return { ...graph, nodes } as Graph;
}

function moved(graph: Graph, positions: ReadonlyMap<NodeId, Point>): Graph {
  const nodes = graph.nodes.map((node) => ({ ...node, position: positions.get(node.id) ?? node.position }));
  return { ...graph, nodes };
}

const at = (positions: ReadonlyMap<NodeId, Point>) => Object.fromEntries(positions);

it("nodes that lie side by side stay where they are", () => {
  const { positions, frame } = broughtTogether(graphOf([0, 0], [400, 0], [2000, 0]), ["1", "2"]);
  expect([positions.size, frame]).toEqual([0, { x: -10, y: -70, width: 720, height: 180 }]);
});

it("the one that makes the frame so large goes next to its fellows, clear of all others", () => {
  const graph = graphOf([0, 0], [400, 0], [800, 0], [1200, 0], [0, 400]);
  const { positions, frame } = broughtTogether(graph, ["1", "2", "4"]);
  expect([...positions.keys()]).toEqual(["4"]);
  const after = moved(graph, positions);
  const isMet = (node: GraphNode) => overlaps(frame, outline(node));
  expect(after.nodes.filter(isMet).map(({ id }) => id)).toEqual(["1", "2", "4"]);
  expect(broughtTogether(after, ["1", "2", "4"]).positions).toEqual(new Map());
});

it("one that stands in the midst of many goes out, unless it belongs to another group", () => {
  const graph = graphOf(
    [0, 0],
    [400, 0],
    [800, 0],
    [0, 200],
    [800, 200],
    [0, 400],
    [400, 400],
    [800, 400],
    [400, 200],
  );
  const ids = ["1", "2", "3", "4", "5", "6", "7", "8"];
  const { positions, frame } = broughtTogether(graph, ids);
  expect([...positions.keys()]).toEqual(["9"]);
  expect(frame).toEqual({ x: -10, y: -70, width: 1120, height: 580 });
  const grouped = { ...graph, groups: [{ title: "one", nodes: ["9"] }] };
  expect(broughtTogether(grouped, ids).positions.has("9")).toBe(false);
});

it("one that stands between two pairs goes out rather than a pair to the other", () => {
  const graph = graphOf([0, 0], [800, 0], [400, 100], [0, 200], [800, 200]);
  const { positions, frame } = broughtTogether(graph, ["1", "2", "4", "5"]);
  expect([[...positions.keys()], frame]).toEqual([["3"], { x: -10, y: -70, width: 1120, height: 380 }]);
});

it("the frame keeps clear of nodes that stand close by", () => {
  const { positions, frame } = broughtTogether(graphOf([0, 0], [0, -164], [305, 0]), ["1"]);
  expect(at(positions)).toEqual({});
  expect(frame).toEqual({ x: -10, y: -59, width: 312, height: 169 });
});

it("the frame encloses those within, and one around it grows", () => {
  const graph = {
    ...graphOf([0, 0], [400, 0]),
    groups: [
      { title: "inner", nodes: ["1"], bounds: { x: -10, y: -70, width: 320, height: 190 } },
      { title: "outer", nodes: ["1", "2", "3"], bounds: { x: -15, y: -80, width: 2000, height: 800 } },
    ],
  };
  const { frame, groups } = broughtTogether(graph, ["1", "2"]);
  expect(frame).toEqual({ x: -20, y: -110, width: 730, height: 240 });
  expect(at(groups as never)).toEqual({ 1: { x: -30, y: -150, width: 2015, height: 870 } });
});

it("a note that stands close goes out of the way, and no node does", () => {
  const graph = graphOf([0, 0], [400, 0], [200, 110]);
  const [note] = graph.nodes.slice(2);
  if (note) note.outputs = [];
  const { positions } = broughtTogether(graph, ["1", "2"]);
  expect([...positions.keys()]).toEqual(["3"]);
});

it("a note goes along with what it stands at", () => {
  const graph = graphOf([0, 0], [400, 0], [800, 0], [3000, 0], [3000, 150], [1800, 0]);
  const [note] = graph.nodes.slice(4, 5);
  if (note) note.outputs = [];
  const { positions, frame } = broughtTogether(graph, ["1", "2", "3", "4"]);
  const [node, beside] = [positions.get("4"), positions.get("5")];
  expect(Math.abs((beside?.x ?? 0) - (node?.x ?? NaN))).toBeLessThan(400);
  expect(overlaps(frame, { x: beside?.x ?? 0, y: (beside?.y ?? 0) - 30, width: 300, height: 130 })).toBe(
    false,
  );
});

it("a note right under goes down, so that the frame has its usual room", () => {
  const graph = graphOf([0, 0], [400, 0], [0, 134]);
  const [note] = graph.nodes.slice(2);
  if (note) note.outputs = [];
  const { positions, frame } = broughtTogether(graph, ["1", "2"]);
  expect([frame.height, at(positions)]).toEqual([180, { 3: { x: 0, y: 150 } }]);
});

it("keeps the title of a frame around it over its own", () => {
  const graph = graphOf([0, 0], [400, 0], [0, 400]);
  const outer = {
    title: "outer",
    nodes: ["1", "2", "3"],
    bounds: { x: -15, y: -75, width: 1000, height: 700 },
  };
  const { groups, frame } = broughtTogether({ ...graph, groups: [outer] }, ["1", "2"]);
  expect([frame.y, groups.get(0)]).toEqual([-70, { x: -15, y: -110, width: 1000, height: 735 }]);
});

it("a group that is there is no place for others", () => {
  const graph = {
    ...graphOf([0, 0], [400, 0], [800, 0], [0, 300], [800, 300]),
    groups: [{ title: "below", nodes: ["4", "5"] }],
  };
  for (const { x, y } of broughtTogether(graph, ["1", "3"]).positions.values())
    expect(x < 1110 && x > -310 && y > 130 && y < 410).toBe(false);
});

it("new nodes move, and those that were there stay", () => {
  const graph = graphOf([0, 0], [800, 0], [400, 0]);
  const { positions } = broughtTogether(graph, ["1", "2"], { added: new Set(["1", "2"]) });
  expect(positions.has("3")).toBe(false);
  expect([...broughtTogether(graph, ["1", "2"], { added: new Set(["2"]) }).positions.keys()]).toEqual(["2"]);
  expect([...broughtTogether(graph, ["1", "2"], { added: new Set(["1"]) }).positions.keys()]).toEqual(["1"]);
});

it("what lies at no whole pixel moves by whole pixels", () => {
  const graph = graphOf([0.3, 0.4], [330.6, 0.2], [660.3, 0.7], [0.3, 160.6]);
  const { positions } = broughtTogether(graph, ["1", "3"]);
  expect(positions.size).toBe(1);
  for (const [id, { x, y }] of positions) {
    const { position } = graph.nodes.find((node) => node.id === id) as GraphNode;
    expect([(x - position.x) % 1, (y - position.y) % 1].map(Math.abs)).toEqual([0, 0]);
  }
});

it("what nothing feeds goes under what it feeds, and others between them stay", () => {
  const graph = wired(graphOf([0, 0], [330, 0], [660, 0], [990, 0], [330, 300], [330, 200]), ["5", "3"]);
  const { positions, frame } = broughtTogether(graph, ["3", "4", "5"]);
  expect(at(positions)).toEqual({ 5: { x: 660, y: 160 } });
  expect(frame).toEqual({ x: 650, y: -70, width: 650, height: 340 });
});

it("one far away goes to where most are", () => {
  const { positions } = broughtTogether(graphOf([0, 0], [400, 0], [9000, 5000]), ["1", "2", "3"]);
  expect([...positions.keys()]).toEqual(["3"]);
});

it("nodes of frames that are drawn later go out of the way sooner than others", () => {
  const graph = graphOf([0, 0], [0, 150], [0, 300], [330, 0], [330, 150], [330, 300]);
  const pending = new Set(["2"]);
  expect([...broughtTogether(graph, ["1", "3"], { pending }).positions.keys()]).toEqual(["2"]);
});

it("keeps a frame as far from another as frames should be, if a nudge does it", () => {
  const graph = graphOf([0, 0], [0, 150], [312, 0], [312, 150]);
  const groups = [{ title: "first", nodes: ["1", "2"], bounds: { x: -10, y: -70, width: 320, height: 330 } }];
  const { positions, frame } = broughtTogether({ ...graph, groups }, ["3", "4"]);
  expect([positions.size, frame.x]).toEqual([2, 330]);
});

it("one of another group leaves its frame wholly, or not at all", () => {
  const graph = graphOf([0, 0], [0, 200], [330, 0], [660, 0], [660, 200]);
  const bounds = { x: 650, y: -70, width: 320, height: 380 };
  const groups = [{ title: "other", nodes: ["4", "5"], bounds }];
  const { positions } = broughtTogether({ ...graph, groups }, ["1", "2", "4"]);
  for (const node of moved(graph, positions).nodes) {
    const box = outline(node);
    expect(!overlaps(bounds, box) || contains(bounds, box), node.id).toBe(true);
  }
});

it("new nodes below another frame share its left edge", () => {
  const groups = [{ title: "above", nodes: ["1"], bounds: { x: -10, y: -70, width: 320, height: 180 } }];
  const graph = { ...graphOf([0, 0], [40, 300], [400, 300]), groups };
  const frameOf = (added: string[]) => broughtTogether(graph, ["2", "3"], { added: new Set(added) }).frame.x;
  expect([frameOf(["2", "3"]), frameOf([])]).toEqual([-10, 30]);
});

it("tells which groups went along with their nodes, and how far", () => {
  const graph = graphOf([0, 0], [400, 0], [1200, 0], [800, 0]);
  const frames = { first: [0, 2], last: [1200, 1], other: [800, 1] } as const;
  const ids = { first: ["1", "2"], last: ["3"], other: ["4"] };
  const groups = (["first", "last", "other"] as const).map((title) => {
    const [x, count] = frames[title];
    return { title, nodes: ids[title], bounds: { x: x - 10, y: -70, width: 400 * count - 80, height: 180 } };
  });
  const { positions, carried } = broughtTogether({ ...graph, groups }, ["1", "2", "3"]);
  expect(Object.fromEntries(carried.map(({ group, by }) => [group.title, by]))).toEqual({
    first: positions.get("1"),
    last: { x: (positions.get("3")?.x ?? 0) - 1200, y: positions.get("3")?.y },
  });
});

it("a frame around the new one grows for it, and a note below goes out of its way", () => {
  const { nodes, ...graph } = graphOf(
    [400, 0],
    [0, 0],
    [400, 200],
    [400, 430],
    [0, 800],
    [-340, 0],
    [740, 0],
    [0, -230],
  );
  const groups = [
    { title: "all", nodes: ["1", "2", "3"], bounds: { x: -20, y: -110, width: 740, height: 470 } },
    { title: "prompt", nodes: ["1"], bounds: { x: 390, y: -70, width: 320, height: 180 } },
    { title: "image", nodes: ["2"], bounds: { x: -10, y: -70, width: 320, height: 420 } },
    { title: "size", nodes: ["3"], bounds: { x: 390, y: 130, width: 320, height: 180 } },
    ...["5", "6", "7", "8"].map((id) => ({ title: id, nodes: [id] })),
  ];
  const own = nodes.map((node) => ({
    ...node,
    ...(node.id === "2" && { size: { width: 300, height: 300 } }),
    ...(node.id === "4" && { outputs: [] }),
  }));
  const before = { ...graph, nodes: own, groups };
  const { positions, frame, groups: frames } = broughtTogether(before, ["2", "3"]);
  expect([...positions.keys()]).toEqual(["2", "3", "4"]);
  const after = moved(before, positions);
  const around = frames.get(0);
  expect(around && contains(around, frame)).toBe(true);
  const isMet = (node: GraphNode) => around && overlaps(around, outline(node));
  expect(after.nodes.filter(isMet).map(({ id }) => id)).toEqual(["1", "2", "3"]);
});
