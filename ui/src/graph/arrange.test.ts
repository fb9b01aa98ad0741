import { describe, expect, it } from "vitest";
import { arrange } from "./arrange";
import type { Graph, GraphNode, NodeId, Point } from "./graph";
import { imageNode } from "./testNodes";

const node = (id: NodeId, { x, y }: Point, ...sources: NodeId[]) => imageNode(id, { x, y }, { sources });

const graph = (nodes: GraphNode[], groups: Graph["groups"] = []): Graph => ({
  scope: { kind: "workflow" },
  nodes,
  groups,
  selection: [],
});

const all = ({ nodes }: Graph) => nodes.map(({ id }) => id);

function placed(before: Graph, ids = all(before)): Graph {
  const { positions } = arrange(before, ids);
  return {
    ...before,
    nodes: before.nodes.map((each) => ({ ...each, position: positions.get(each.id) ?? each.position })),
  };
}

const at = ({ nodes }: Graph, id: NodeId) => nodes.find((each) => each.id === id)?.position ?? { x: 0, y: 0 };

function expectNoOverlap({ nodes }: Graph) {
  for (const a of nodes)
    for (const b of nodes)
      if (a !== b)
        expect(
          a.position.x < b.position.x + 300 &&
            b.position.x < a.position.x + 300 &&
            a.position.y - 30 < b.position.y + 100 &&
            b.position.y - 30 < a.position.y + 100,
          `${a.id} and ${b.id}`,
        ).toBe(false);
}

describe("arranging nodes", () => {
  const heap = graph([
    node("4", { x: 0, y: 0 }, "2", "3"),
    node("1", { x: 10, y: 5 }),
    node("2", { x: 20, y: 9 }, "1"),
    node("3", { x: 30, y: 7 }, "1", "2"),
    node("9", { x: 5, y: 5 }),
  ]);

  it("puts what feeds a node left of it, and nothing on top of another", () => {
    const after = placed(heap);
    expect(["1", "2", "3", "4"].map((id) => at(after, id).x)).toEqual([0, 380, 760, 1140]);
    expectNoOverlap(after);
  });

  it("puts nodes without links below the others", () => {
    expect(at(placed(heap), "9").y).toBeGreaterThan(at(placed(heap), "1").y + 100);
  });

  it("moves only what it was asked to, clear of what stays", () => {
    const after = placed(heap, ["2", "3"]);
    for (const id of ["1", "4", "9"]) expect(at(after, id)).toEqual(at(heap, id));
    expect(at(after, "3").x).toBeGreaterThan(at(after, "2").x);
    const moved = after.nodes.filter(({ id }) => id === "2" || id === "3");
    for (const { position } of moved)
      for (const stays of ["1", "4", "9"]) expect(position.y - 30 >= at(after, stays).y + 100).toBe(true);
  });

  it("keeps the nodes of a group together, and the group around them", () => {
    const before = graph(
      [
        node("1", { x: 0, y: 0 }),
        node("2", { x: 0, y: 500 }, "1"),
        node("3", { x: 0, y: 900 }, "2"),
        node("4", { x: 900, y: 0 }, "1"),
      ],
      [{ title: "pair", nodes: ["2", "3"] }],
    );
    const after = placed(before);
    expectNoOverlap(after);
    const bounds = arrange(before, all(before)).groups.get(0);
    if (!bounds) throw new Error("the group was not placed");
    const isInside = ({ x, y }: Point) =>
      x >= bounds.x &&
      x + 300 <= bounds.x + bounds.width &&
      y >= bounds.y &&
      y + 100 <= bounds.y + bounds.height;
    expect(after.nodes.map(({ id, position }) => [id, isInside(position)])).toEqual([
      ["1", false],
      ["2", true],
      ["3", true],
      ["4", false],
    ]);
  });

  it("gives the same places when it is done again", () => {
    expect(placed(placed(heap)).nodes).toEqual(placed(heap).nodes);
  });

  it("survives links in a circle, and nothing to arrange", () => {
    const circle = graph([node("1", { x: 0, y: 0 }, "2"), node("2", { x: 0, y: 0 }, "1")]);
    expectNoOverlap(placed(circle));
    expect(arrange(heap, []).positions.size).toBe(0);
  });

  it.each([1, 2, 3, 4, 5])("lays out random graph %i: nothing overlaps, links lead right", (seed) => {
    let state = seed;
    const random = (below: number) => {
      state = (state * 48271) % 2147483647;
      return state % below;
    };
    const nodes = Array.from({ length: 120 }, (_, index) =>
      node(
        String(index),
        { x: random(2000), y: random(2000) },
        ...Array.from({ length: index === 0 ? 0 : random(3) }, () => String(random(index))),
      ),
    );
    const groups = [10, 40, 80].map((from) => ({
      title: `${from}`,
      nodes: nodes.slice(from, from + 8).map(({ id }) => id),
    }));
    expectNoOverlap(placed(graph(nodes, groups)));
    const free = placed(graph(nodes));
    for (const { id, inputs } of free.nodes)
      for (const { linkedFrom } of inputs)
        expect(at(free, linkedFrom?.node ?? "").x).toBeLessThan(at(free, id).x);
  });
});
