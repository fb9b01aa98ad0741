import { expect, it } from "vitest";
import type { Graph, GraphNode, NodeId, Point } from "./graph";
import { isInside } from "./placement";
import { broughtTogether } from "./together";

/** Nodes of 300 by 100 at these places, with ids from 1. */
function graphOf(...places: [number, number][]): Graph {
  const nodes = places.map(
    ([x, y], index): GraphNode => ({
      ...{ id: String(index + 1), type: "Note", title: "", defaultTitle: "", mode: "active" },
      ...{ isInstalled: true, inputs: [], outputs: [], widgets: [] },
      position: { x, y },
      size: { width: 300, height: 100 },
    }),
  );
  return { scope: { kind: "workflow" }, nodes, groups: [], selection: [] };
}

function moved(graph: Graph, positions: ReadonlyMap<NodeId, Point>): Graph {
  const nodes = graph.nodes.map((node) => ({ ...node, position: positions.get(node.id) ?? node.position }));
  return { ...graph, nodes };
}

it("nodes that lie side by side stay where they are", () => {
  expect(broughtTogether(graphOf([0, 0], [400, 0], [2000, 0]), ["1", "2"])).toEqual(new Map());
});

it("nodes with others between them are brought together, clear of all others", () => {
  const graph = graphOf([0, 0], [500, 0], [1000, 0], [1500, 0], [0, 400]);
  const positions = broughtTogether(graph, ["1", "3"]);
  expect([...positions.keys()]).toEqual(["1", "3"]);
  const after = moved(graph, positions);
  const places = ["1", "3"].map((id) => positions.get(id) ?? { x: 0, y: 0 });
  const [left, top] = [Math.min(...places.map(({ x }) => x)), Math.min(...places.map(({ y }) => y))];
  const box = {
    x: left,
    y: top,
    width: Math.max(...places.map(({ x }) => x)) + 300 - left,
    height: Math.max(...places.map(({ y }) => y)) + 100 - top,
  };
  const inside = after.nodes.filter(({ position, size }) => isInside(box, { ...position, ...size }));
  expect(inside.map(({ id }) => id)).toEqual(["1", "3"]);
  expect(broughtTogether(after, ["1", "3"])).toEqual(new Map());
});

it("a group that is there is no place for others", () => {
  const graph = {
    ...graphOf([0, 0], [400, 0], [800, 0], [0, 300], [800, 300]),
    groups: [{ title: "below", nodes: ["4", "5"] }],
  };
  for (const { x, y } of broughtTogether(graph, ["1", "3"]).values())
    expect(x < 1110 && x > -310 && y > 130 && y < 410).toBe(false);
});
