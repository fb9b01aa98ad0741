import { describe, expect, it } from "vitest";
import { growsInProportion } from "../shared/testGrowth";
import { type Graph, type GraphNode, type NodeId, type Rectangle, subgraphInput } from "./graph";
import { placeAdded } from "./placeAdded";
import { contains, outline, overlaps } from "./placement";
import { imageNode } from "./testNodes";

const node = (id: NodeId, x: number, y: number, sources: readonly NodeId[] = [], height = 100) =>
  imageNode(id, { x, y }, { sources, height });

const graph = (nodes: GraphNode[], others: Partial<Graph> = {}): Graph => ({
  scope: { kind: "workflow" },
  nodes,
  groups: [],
  selection: [],
  ...others,
});

/** The graph with `ids` placed, and the boxes of all nodes. */
function placed(before: Graph, ids: readonly NodeId[], replaced?: Rectangle) {
  const places = placeAdded(before, new Map(ids.map((id) => [id, replaced])));
  const nodes = before.nodes.map((each) => ({ ...each, position: places.get(each.id) ?? each.position }));
  const box = (id: NodeId) => outline(nodes.find((each) => each.id === id) as GraphNode);
  return { places, nodes, box, right: (id: NodeId) => box(id).x + box(id).width };
}

const chain = () => [node("a", 0, 0), node("b", 400, 0, ["a"]), node("c", 1000, 0, ["b"])];

describe("a new node", () => {
  it("stands right of what feeds it", () => {
    const { box, right } = placed(graph([...chain(), node("new", 0, 0, ["c"])]), ["new"]);
    expect(box("new").x).toBeGreaterThan(right("c"));
    expect(box("new").y).toBe(box("c").y);
  });

  it("has what feeds it in the order of its slots, from above", () => {
    const news = [
      node("loader", 0, 0),
      node("upper", 0, 0, ["loader"]),
      node("lower", 0, 0, ["loader"]),
      node("new", 0, 0, ["a", "upper", "lower"]),
    ];
    const nodes = [node("a", 0, 0), node("end", 2000, 0, ["new"]), ...news];
    const { box } = placed(
      graph(nodes),
      news.map(({ id }) => id),
    );
    expect(box("upper").y).toBeLessThan(box("lower").y);
  });

  it("stands between source and target where there is room", () => {
    const nodes = [node("a", 0, 0), node("b", 700, 0, ["new"]), node("new", 0, 0, ["a"])];
    const { box, right } = placed(graph(nodes), ["new"]);
    expect([box("new").x > right("a"), right("new") < box("b").x]).toEqual([true, true]);
    expect(box("new").y).toBe(box("a").y);
  });

  it("goes below where there is no room between them", () => {
    const nodes = [node("a", 0, 0), node("b", 360, 0, ["new"]), node("new", 0, 0, ["a"])];
    const { box, right } = placed(graph(nodes), ["new"]);
    expect(box("new").x).toBeGreaterThan(right("a"));
    expect(box("new").y).toBeGreaterThan(box("b").y + box("b").height);
  });

  it("stands under what feeds it where that is nearer than any place right of it", () => {
    const texts = ["b", "c", "d", "e"].map((id, index) => node(id, 360, 200 * index - 300, ["new"]));
    const nodes = [node("a", 0, 0), ...texts, node("new", 0, 0, ["a"])];
    const { box, right } = placed(graph(nodes), ["new"]);
    expect([box("new").y, right("new") < 360]).toEqual([120, true]);
  });

  it("goes on in the row of the new one that feeds it, and not of what feeds many", () => {
    const nodes = [node("many", 0, 900), node("other", 700, 900, ["many"]), node("a", 0, 0)];
    nodes.push(node("one", 0, 0, ["a", "many"]), node("two", 0, 0, ["one", "many"]));
    const { box } = placed(graph(nodes), ["one", "two"]);
    expect([box("one").y, box("two").y]).toEqual([-30, -30]);
  });

  it("stands left of what it feeds where nothing feeds it", () => {
    const { box, right } = placed(graph([node("a", 0, 0, ["new"]), node("new", 0, 0)]), ["new"]);
    expect(right("new")).toBeLessThan(box("a").x);
  });

  it("stands right of what feeds it where the way to what it feeds runs back anyhow", () => {
    const nodes = [node("a", 1000, 0), node("b", 0, 0, ["new"]), node("new", 0, 0, ["a"])];
    const { box, right } = placed(graph(nodes), ["new"]);
    expect(box("new").x).toBeGreaterThan(right("a"));
    expect(box("new").y).toBe(box("a").y);
  });

  it.each([
    ["between them where there is room", 400, { x: 0, y: 170 }],
    ["near them where there is none", 140, { x: 0, y: -140 }],
  ])("between two that stand in a column stands %s", (_, y, place) => {
    const nodes = [node("a", 0, 0), node("b", 0, y, ["new"]), node("new", 0, 0, ["a"], 60)];
    const { box } = placed(graph(nodes), ["new"]);
    expect([box("new").x, box("new").y]).toEqual([place.x, place.y]);
  });

  it("stands beside what is selected where no link says more", () => {
    const nodes = [...chain(), node("new", 0, 0)];
    const { box, right } = placed(graph(nodes, { selection: ["c"] }), ["new"]);
    expect(box("new").x).toBeGreaterThan(right("c"));
  });

  it("keeps out of a group in which it has no neighbour, and goes into one where it has", () => {
    const bounds = { x: 340, y: -80, width: 1000, height: 300 };
    const groups = [{ title: "second", nodes: ["b", "c"], bounds }];
    const outside = placed(graph([...chain(), node("new", 0, 0, ["a"])], { groups }), ["new"]);
    expect(overlaps(outside.box("new"), bounds)).toBe(false);
    const inside = placed(graph([...chain().slice(0, 2), node("new", 0, 0, ["b"])], { groups }), ["new"]);
    expect(overlaps(inside.box("new"), bounds)).toBe(true);
  });

  it.each([
    ["inside of the group of its source where there is room", 1000, true],
    ["outside of it where its border would cut the node", 420, false],
  ])("stands %s", (_, width, isIn) => {
    const bounds = { x: -40, y: -80, width, height: 200 };
    const nodes = [node("a", 0, 0), node("new", 0, 0, ["a"])];
    const { box } = placed(graph(nodes, { groups: [{ title: "first", nodes: ["a"], bounds }] }), ["new"]);
    expect([contains(bounds, box("new")), overlaps(box("new"), bounds)]).toEqual([isIn, isIn]);
  });

  it("goes into the group in which what is new has its place that it feeds", () => {
    const bounds = { x: -40, y: -80, width: 1000, height: 400 };
    const nodes = [node("a", 0, 0), node("new", 0, 0, ["a", "feeder"]), node("feeder", 0, 0)];
    const groups = [{ title: "first", nodes: ["a"], bounds }];
    const { box } = placed(graph(nodes, { groups }), ["new", "feeder"]);
    expect([contains(bounds, box("new")), contains(bounds, box("feeder"))]).toEqual([true, true]);
  });

  it("takes the place of the one that it replaces, unless it is too large for it", () => {
    const old = outline(node("b", 400, 0));
    const small = placed(graph([node("a", 0, 0), node("b", 0, 0, ["a"])]), ["b"], old);
    expect(small.places.get("b")).toEqual({ x: 400, y: 0 });
    const below = node("d", 400, 200);
    const large = placed(graph([node("a", 0, 0), below, node("b", 0, 0, ["a"], 400)]), ["b"], old);
    expect(overlaps(large.box("b"), large.box("d"))).toBe(false);
  });

  it("stays in the groups of the one that it replaces, and out of those of its neighbours", () => {
    const old = outline(node("b", 400, 0));
    const own = {
      title: "own",
      nodes: ["a", "b", "c"],
      bounds: { x: -100, y: -200, width: 2000, height: 1500 },
    };
    const other = { title: "other", nodes: ["c"], bounds: { x: 380, y: 120, width: 1500, height: 300 } };
    const nodes = [node("a", 0, 0), node("b", 0, 0, ["a"], 400), node("c", 1000, 200, ["b"])];
    const { box } = placed(graph(nodes, { groups: [own, other] }), ["b"], old);
    expect([contains(own.bounds, box("b")), overlaps(other.bounds, box("b"))]).toEqual([true, false]);
  });
});

describe("new nodes", () => {
  it("are all laid out from left to right in an empty graph", () => {
    const nodes = [node("load", 0, 0), node("work", 0, 0, ["load"]), node("save", 0, 0, ["work"])];
    const { box, right } = placed(graph(nodes), ["load", "work", "save"]);
    expect([box("work").x > right("load"), box("save").x > right("work")]).toEqual([true, true]);
  });

  it("stand with their own sources: what feeds one of them alone is left of it, not at the graph's beginning", () => {
    const nodes = [...chain(), node("size", 0, 0), node("sampler", 0, 0, ["c", "size"])];
    const { box, right } = placed(graph(nodes), ["size", "sampler"]);
    expect(box("sampler").x).toBeGreaterThan(right("c"));
    expect([right("size") < box("sampler").x, box("size").x > 400]).toEqual([true, true]);
  });

  it("have places also where links go round, or come from outside of the subgraph", () => {
    const nodes = [node("a", 0, 0, ["b"]), node("b", 0, 0, ["a", subgraphInput])];
    const { box } = placed(graph(nodes), ["a", "b"]);
    expect(overlaps(box("a"), box("b"))).toBe(false);
  });
});

describe("what leads to a new node alone", () => {
  const branch = () => [node("load", 0, 0), node("edges", 0, 0, ["load"]), node("model", 0, 0)];

  it("comes together before it, where that has its place by what it feeds", () => {
    const wall = node("wall", 300, -1000, [], 2000);
    const present = [node("a", 0, 0), wall, node("b", 1200, 0, ["new"])];
    const before = graph([...present, ...branch(), node("new", 0, 0, ["a", "edges", "model"])]);
    const { box } = placed(before, ["load", "edges", "model", "new"]);
    expect([box("load"), box("edges"), box("model")].map(({ x }) => x < box("new").x)).toEqual([
      true,
      true,
      true,
    ]);
    expect(box("edges").x).toBeGreaterThan(box("load").x);
    const all = [box("load"), box("edges"), box("model")];
    expect(Math.max(...all.map(({ y }) => y)) - Math.min(...all.map(({ y }) => y))).toBeLessThan(300);
  });

  it("stands with it behind what feeds it, where nothing comes after", () => {
    const before = graph([node("a", 0, 0), ...branch(), node("new", 0, 0, ["a", "edges", "model"])]);
    const { box, right } = placed(before, ["load", "edges", "model", "new"]);
    expect([right("a") < box("load").x, right("edges") < box("new").x]).toEqual([true, true]);
  });
});

/** The same numbers on every machine. */
function randomNumbers(seed: number) {
  let state = seed * 2654435761;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
  return { next, below: (count: number) => Math.floor(next() * count) };
}

describe("over random graphs and batches", () => {
  it.each(Array.from({ length: 200 }, (_, seed) => seed + 1))("no rule is broken: %i", (seed) => {
    const { next, below } = randomNumbers(seed);
    const present = Array.from({ length: 3 + below(40) }, (_, index) => {
      const sources = index === 0 ? [] : [`${below(index)}`];
      return node(`${index}`, (index % 7) * 380, Math.floor(index / 7) * 420, sources, 60 + below(300));
    });
    const added = Array.from({ length: 1 + below(8) }, (_, index) => {
      const sources = [
        ...(next() < 0.7 ? [`${below(present.length)}`] : []),
        ...(index > 0 && next() < 0.7 ? [`n${below(index)}`] : []),
      ];
      return node(`n${index}`, 0, 0, sources, 60 + below(400));
    });
    for (const each of added)
      if (next() < 0.4) present[below(present.length)]?.inputs.push(...node("", 0, 0, [each.id]).inputs);
    const ids = added.map(({ id }) => id);
    const { places, nodes, box, right } = placed(graph([...present, ...added]), ids);
    expect([...places.keys()].sort()).toEqual([...ids].sort());
    for (const id of ids) {
      for (const other of nodes) if (other.id !== id) expect(overlaps(box(id), box(other.id))).toBe(false);
      const isInCircle = (from: NodeId, seen = new Set<NodeId>()): boolean =>
        sourcesOf(nodes, from).some(
          (source) => source === id || (!seen.has(source) && isInCircle(source, seen.add(source))),
        );
      const edges = sourcesOf(nodes, id).map(right);
      const ends = present.flatMap((each) => (isFedBy(nodes, each.id, id) ? box(each.id).x : []));
      const lacksRoom = ends.some((x) => x < Math.max(...edges) + box(id).width + 40);
      if (!isInCircle(id) && !lacksRoom)
        for (const edge of edges) expect(box(id).x).toBeGreaterThanOrEqual(edge);
    }
  });
});

/** Whether one feeds another, if need be through new ones. */
function isFedBy(nodes: readonly GraphNode[], id: NodeId, source: NodeId, seen = new Set<NodeId>()): boolean {
  return sourcesOf(nodes, id).some(
    (each) =>
      each === source ||
      (each.startsWith("n") && !seen.has(each) && isFedBy(nodes, each, source, seen.add(each))),
  );
}

function sourcesOf(nodes: readonly GraphNode[], id: NodeId): NodeId[] {
  return (nodes.find((each) => each.id === id)?.inputs ?? []).flatMap(
    ({ linkedFrom }) => linkedFrom?.node ?? [],
  );
}

it("is found in a moment among thousands of nodes that leave no gap", () => {
  const rows = 72;
  const added = Array.from({ length: 20 }, (_, index) => node(`new${index}`, 0, 0, [`${300 + index}`]));
  const ids = new Map(added.map(({ id }) => [id, undefined]));
  const beside = (count: number) => {
    const full = Array.from({ length: count }, (_, index) =>
      node(`${index}`, Math.floor(index / rows) * 310, (index % rows) * 140),
    );
    return graph([...full, ...added]);
  };
  expect(growsInProportion((size) => placeAdded(beside(size), ids), 625)).toBe(true);
  const all = beside(5_000);
  const places = placeAdded(all, ids);
  const boxes = all.nodes.map((each) => outline({ ...each, position: places.get(each.id) ?? each.position }));
  for (const box of boxes.slice(-added.length))
    expect(boxes.filter((other) => overlaps(box, other))).toHaveLength(1);
});
