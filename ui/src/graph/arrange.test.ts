import { describe, expect, it } from "vitest";
import { arrange } from "./arrange";
import { isHeap } from "./blocks";
import type { Graph, GraphNode, NodeId, Point } from "./graph";
import { contains, drawn, overlaps } from "./placement";
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

  it("moves only what it was asked to, clear of what stays, and tells how far", () => {
    const after = placed(heap, ["2", "3"]);
    for (const id of ["1", "4", "9"]) expect(at(after, id)).toEqual(at(heap, id));
    expectNoOverlap({ ...after, nodes: after.nodes.filter(({ id }) => !["4", "9"].includes(id)) });
    expect(at(after, "3").x).toBeGreaterThan(at(after, "2").x);
    const { x, y } = at(after, "2");
    expect(arrange(heap, ["2", "3"]).parts).toEqual([
      expect.objectContaining({ nodes: ["2", "3"], by: { x: x - 20, y: y - 7 } }),
    ]);
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

  /** 340 wide inside, with a chain that lies in it from right to left. */
  const framed = (...others: GraphNode[]) =>
    graph(
      [
        node("1", { x: 1100, y: 500 }),
        node("2", { x: 700, y: 500 }, "1"),
        node("3", { x: 700, y: 700 }, "2"),
        ...others,
      ],
      [{ title: "chain", nodes: ["1", "2", "3"], bounds: { x: 690, y: 430, width: 720, height: 380 } }],
    );

  it("keeps a group's corner and its width, and puts what would make it wider below what feeds it", () => {
    const before = framed();
    const { positions, groups, parts } = arrange(before, ["1", "2", "3"], { groups: before.groups });
    expect([...positions.values()]).toEqual([
      { x: 700, y: 500 },
      { x: 1080, y: 500 },
      { x: 1080, y: 670 },
    ]);
    expect(groups.get(0)).toEqual({ x: 690, y: 430, width: 700, height: 350 });
    expect(parts).toEqual([
      {
        nodes: ["1", "2", "3"],
        group: "chain",
        before: { width: 720, height: 380 },
        after: { width: 700, height: 350 },
      },
    ]);
  });

  /** Four in a row, up and down by turns, which no layout beats in so much room. */
  const zigzag = (...others: GraphNode[]) =>
    graph(
      [
        node("1", { x: 10, y: 100 }),
        node("2", { x: 312, y: 200 }, "1"),
        node("3", { x: 614, y: 100 }, "2"),
        node("4", { x: 916, y: 200 }, "3"),
        ...others,
      ],
      [{ title: "chain", nodes: ["1", "2", "3", "4"], bounds: { x: 0, y: 30, width: 1226, height: 280 } }],
    );

  it("has others make room for a group whose nodes lie on one another, and leaves that in its place", () => {
    const wall = (id: NodeId, { x, y }: Point, width: number, height: number) => ({
      ...node(id, { x, y }),
      size: { width, height },
    });
    const frame = { x: 0, y: 30, width: 400, height: 320 };
    const before = graph(
      [
        node("1", { x: 10, y: 100 }),
        node("2", { x: 60, y: 160 }, "1"),
        node("3", { x: 90, y: 190 }, "2"),
        wall("left", { x: -620, y: -900 }, 600, 2000),
        wall("right", { x: 420, y: -900 }, 600, 2000),
        wall("above", { x: 0, y: -870 }, 400, 880),
        wall("below", { x: 0, y: 420 }, 400, 680),
      ],
      [{ title: "heap", nodes: ["1", "2", "3"], bounds: frame }],
    );
    const { positions, groups } = arrange(before, ["1", "2", "3"]);
    const now = groups.get(0) ?? frame;
    const boxes = before.nodes.map((each) =>
      drawn({ ...each, position: positions.get(each.id) ?? each.position }),
    );
    expect(isHeap(boxes)).toBe(false);
    expect(boxes.map((box) => contains(now, box))).toEqual([true, true, true, false, false, false, false]);
    expect(boxes.slice(3).some((box) => overlaps(now, box))).toBe(false);
    expect([now.x, now.y, positions.has("left"), positions.has("above")]).toEqual([0, 30, false, false]);
  });

  it("leaves a group as it is where what fits would turn wires back", () => {
    const before = zigzag(node("5", { x: 1230, y: 100 }));
    const { positions, groups, parts } = arrange(before, [], { groups: before.groups });
    expect([positions.size, groups.size]).toEqual([0, 0]);
    expect(parts).toEqual([expect.objectContaining({ group: "chain", left: { back: [], heaped: [] } })]);
  });

  it("leaves a group as it is where a wire would run further back", () => {
    const before = graph(
      [
        { ...node("1", { x: 40, y: 90 }), size: { width: 315, height: 474 } },
        { ...node("2", { x: 220, y: 620 }, "1"), size: { width: 130, height: 0 } },
      ],
      [{ title: "pass", nodes: ["1", "2"], bounds: { x: 0, y: 0, width: 410, height: 640 } }],
    );
    const { positions, parts } = arrange(before, [], { groups: before.groups });
    expect([...positions]).toEqual([]);
    expect(parts).toEqual([
      expect.objectContaining({
        group: "pass",
        left: { back: [], heaped: [] },
      }),
    ]);
  });

  it("wraps nothing that has room in one row with less between", () => {
    const before = zigzag();
    const { positions, parts } = arrange(before, [], { groups: before.groups });
    expect([...positions.values()]).toEqual([10, 330, 650, 970].map((x) => ({ x, y: 100 })));
    expect(parts).toEqual([
      {
        nodes: ["1", "2", "3", "4"],
        group: "chain",
        before: { width: 1226, height: 280 },
        after: { width: 1280, height: 180 },
      },
    ]);
  });

  it("takes frames of others for what they are, and goes to the nearest free place in any direction", () => {
    const box = { x: 650, y: 620, width: 900, height: 2000 };
    const { nodes, groups } = framed(node("4", { x: 1300, y: 1500 }));
    const before = graph(nodes, [...groups, { title: "below", nodes: ["4"], bounds: box }]);
    const { groups: frames, parts } = arrange(before, ["1", "2", "3"]);
    expect(parts).toEqual([expect.objectContaining({ group: "chain", by: { x: 0, y: -180 } })]);
    expect(frames.get(0)).toEqual({ x: 690, y: 250, width: 700, height: 350 });
    expect(frames.has(1)).toBe(false);
  });

  it("moves an inner group as it is, and the outer frame encloses it", () => {
    const inner = { x: 60, y: 400, width: 320, height: 300 };
    const before = graph(
      [
        node("1", { x: 70, y: 450 }),
        node("2", { x: 70, y: 590 }, "1"),
        node("3", { x: 30, y: 100 }, "2"),
        node("4", { x: 900, y: 100 }),
      ],
      [
        { title: "outer", nodes: ["1", "2", "3", "4"], bounds: { x: 0, y: 0, width: 1300, height: 800 } },
        { title: "inner", nodes: ["1", "2"], bounds: inner },
      ],
    );
    const { positions, groups } = arrange(before, all(before));
    const [one, two] = [positions.get("1"), positions.get("2")];
    expect((two?.y ?? 0) - (one?.y ?? 0)).toBe(140);
    const [outside, inside] = [groups.get(0), groups.get(1)];
    if (!outside || !inside) throw new Error("a frame was not placed");
    expect([inside.width, inside.height]).toEqual([320, 300]);
    expect(contains(outside, { ...inside, x: inside.x - 10, width: inside.width + 20 })).toBe(true);
    expect([outside.x, outside.y]).toEqual([0, 0]);
  });

  it("lays a group out anew inside whose nodes lie on one another", () => {
    const before = graph(
      [node("1", { x: 0, y: 0 }), node("2", { x: 10, y: 10 }, "1"), node("3", { x: 900, y: 0 }, "2")],
      [{ title: "heap", nodes: ["1", "2"], bounds: { x: -10, y: -70, width: 330, height: 190 } }],
    );
    expectNoOverlap(placed(before));
  });

  it("leaves a group where it is to what it feeds and is fed by", () => {
    const before = graph(
      [
        node("1", { x: 0, y: 0 }),
        node("2", { x: 800, y: 0 }, "3"),
        node("3", { x: 400, y: 400 }, "1"),
        node("4", { x: 1400, y: 0 }, "2"),
      ],
      [{ title: "round", nodes: ["1", "2"], bounds: { x: -10, y: -70, width: 1120, height: 180 } }],
    );
    const after = placed(before);
    expect([at(after, "3").x - at(after, "1").x, at(after, "3").y - at(after, "1").y]).toEqual([400, 400]);
  });

  describe("all of them for a screen", () => {
    const onScreen = (before: Graph) => {
      const { positions, groups, parts } = arrange(before, all(before), { all: "screen" });
      const nodes = before.nodes.map((each) => ({
        ...each,
        position: positions.get(each.id) ?? each.position,
      }));
      return { graph: { ...before, nodes }, frames: groups, part: parts[0] };
    };
    const chain = (ids: readonly string[], place: (index: number) => Point) =>
      ids.map((id, index) => node(id, place(index), ...ids.slice(Math.max(index - 1, 0), index)));
    const ten = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

    it("makes a heap as wide as its wires are long, without a row below", () => {
      const { graph: after } = onScreen(graph(chain(ten, () => ({ x: 0, y: 0 }))));
      expect(after.nodes.map(({ position }) => position)).toEqual(
        ten.map((_, index) => ({ x: 380 * index, y: 0 })),
      );
    });

    it("leaves them where no other layout is clearly better", () => {
      const high = (index: number) => (index < 8 ? 600 : 100);
      const before = chain(ten, (index) => ({ x: 380 * Math.min(index, 8), y: index > 8 ? 170 : 0 }));
      const { part } = onScreen(
        graph(before.map((each, index) => ({ ...each, size: { width: 300, height: high(index) } }))),
      );
      expect(part?.left).toEqual({ back: [], heaped: [] });
    });

    it("moves only what stands far from all that its wires join it to", () => {
      const before = graph(chain(ten, (index) => ({ x: 380 * index, y: 0 })));
      const [last] = before.nodes.splice(-1);
      if (last) before.nodes.push({ ...last, position: { x: 0, y: -700 } });
      const { graph: after } = onScreen(before);
      expect(at(after, "10")).toEqual({ x: 380 * 8 + 360, y: 0 });
      expect(after.nodes.slice(0, -1)).toEqual(before.nodes.slice(0, -1));
    });

    it("moves only what lies on something", () => {
      const before = graph(chain(ten, (index) => ({ x: 380 * index, y: index === 4 ? 20 : 0 })));
      before.nodes.push(imageNode("11", { x: 400, y: 90 }, { height: 60 }));
      const { positions } = arrange(before, all(before), { all: "screen" });
      expect([...positions]).toEqual([["11", { x: 400, y: 150 }]]);
    });

    it("closes what lies free from end to end between parts", () => {
      const before = graph(chain(ten, (index) => ({ x: 380 * index + (index > 4 ? 2000 : 0), y: 0 })));
      expect(onScreen(before).part?.after.width).toBe(380 * 9 + 300);
    });

    it("makes a frame larger where a node sticks out of it, and moves nothing", () => {
      const { frames, part } = onScreen(
        graph(
          chain(["1", "2"], (index) => ({ x: 400 * index, y: 100 })),
          [{ title: "small", nodes: ["1"], bounds: { x: -10, y: 30, width: 300, height: 180 } }],
        ),
      );
      expect(frames.get(0)).toEqual({ x: -10, y: 30, width: 320, height: 180 });
      expect(part?.left).toBeUndefined();
    });

    it("puts what sticks out of its frame back in line with what stands there", () => {
      const { graph: after, frames } = onScreen(
        graph(
          [node("1", { x: 0, y: 100 }), node("2", { x: 0, y: 400 }), node("3", { x: 140, y: 180 })],
          [{ title: "loaders", nodes: ["1", "2", "3"], bounds: { x: -10, y: 30, width: 320, height: 480 } }],
        ),
      );
      expect(after.nodes.map(({ position }) => position)).toEqual([
        { x: 0, y: 100 },
        { x: 0, y: 400 },
        { x: 0, y: 250 },
      ]);
      expect(frames.size).toBe(0);
    });

    it("keeps what lies on something in its frame where there is room", () => {
      const { graph: after, frames } = onScreen(
        graph(
          [node("1", { x: 0, y: 100 }), node("2", { x: 0, y: 250 }), node("3", { x: 0, y: 160 })],
          [{ title: "loaders", nodes: ["1", "2", "3"], bounds: { x: -10, y: 30, width: 320, height: 480 } }],
        ),
      );
      expectNoOverlap(after);
      expect(frames.size).toBe(0);
    });

    /** Of which the last lies on the third where it is so high. */
    const skewed = (last: number) =>
      graph(
        [
          node("1", { x: 0, y: 100 }),
          node("2", { x: 150, y: 260 }),
          node("3", { x: 0, y: 420 }),
          node("4", { x: 15, y: last }),
          node("aside", { x: 400, y: 420 }, "1", "2", "3", "4"),
          node("outside", { x: 800, y: 420 }, "aside"),
        ],
        [
          {
            title: "group",
            nodes: ["1", "2", "3", "4", "aside"],
            bounds: { x: -10, y: 30, width: 720, height: 700 },
          },
        ],
      );

    it("straightens the columns of a frame in which something lay on something", () => {
      const { graph: after } = onScreen(skewed(500));
      expect(after.nodes.map(({ position }) => position.x)).toEqual([0, 0, 0, 15, 400, 800]);
      expectNoOverlap(after);
    });

    it("leaves the columns of a frame in which all is in order", () => {
      const { graph: after } = onScreen(skewed(590));
      expect(after.nodes.map(({ position }) => position.x)).toEqual([0, 150, 0, 15, 400, 800]);
    });

    it("puts no note on a group by way of another note beside that", () => {
      const note = (id: string, y: number) => ({ ...node(id, { x: -330, y }), inputs: [], outputs: [] });
      const { graph: after } = onScreen(
        graph(
          [
            node("1", { x: -100, y: 100 }),
            node("2", { x: 300, y: 100 }, "1"),
            note("3", 130),
            note("4", 270),
          ],
          [{ title: "group", nodes: ["1", "2"], bounds: { x: -110, y: 30, width: 720, height: 180 } }],
        ),
      );
      expectNoOverlap(after);
    });

    it("puts what no wire joins one below the other", () => {
      const turned = (top: number) => (index: number) => ({ x: 900 - 450 * index, y: top + 200 * index });
      const { graph: after } = onScreen(
        graph([...chain(["1", "2", "3"], turned(0)), ...chain(["4", "5", "6"], turned(1000))]),
      );
      const ys = (ids: readonly string[]) => new Set(ids.map((id) => at(after, id).y));
      expect([ys(["1", "2", "3"]).size, ys(["4", "5", "6"]).size]).toEqual([1, 1]);
      expect(at(after, "4").y).toBeGreaterThan(at(after, "1").y);
    });

    it("keeps a note beside what it stood next to", () => {
      const note = { ...node("note", { x: 420, y: 720 }), inputs: [], outputs: [] };
      const { graph: after } = onScreen(
        graph([...chain(["1", "2", "3"], (index) => ({ x: 800 - 400 * index, y: 300 * index })), note]),
      );
      const [{ x, y }, host] = [at(after, "note"), at(after, "3")];
      expect([Math.abs(x - host.x) + Math.abs(y - host.y)]).toEqual([540]);
    });

    it("keeps the frame of a group, unless it is mostly empty", () => {
      const { frames } = onScreen(
        graph(
          chain(["1", "2"], (index) => ({ x: 1600 - 1200 * index, y: 100 })),
          [
            { title: "empty", nodes: ["1"], bounds: { x: 1590, y: 30, width: 700, height: 600 } },
            { title: "full", nodes: ["2"], bounds: { x: 390, y: 30, width: 360, height: 190 } },
          ],
        ),
      );
      expect([frames.get(0), frames.get(1)].map((frame) => frame && [frame.width, frame.height])).toEqual([
        [320, 180],
        [360, 190],
      ]);
    });
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
