import { expect, it } from "vitest";
import { createFakeComfy } from "../comfy/fake";
import { isInside } from "./placement";
import { broughtTogether } from "./together";

/** Nodes of about 300 by 100 at these places, with ids from 1. */
function graphOf(...places: [number, number][]) {
  const comfy = createFakeComfy();
  for (const [x, y] of places) comfy.edit((editor) => editor.addNode("EmptyImage", { position: { x, y } }));
  return comfy.graph();
}

it("nodes that lie side by side stay where they are", () => {
  expect(broughtTogether(graphOf([0, 0], [400, 0], [2000, 0]), ["1", "2"])).toEqual(new Map());
});

it("nodes with others between them are brought together, clear of all others", () => {
  const graph = graphOf([0, 0], [500, 0], [1000, 0], [1500, 0], [0, 400]);
  const moved = broughtTogether(graph, ["1", "3"]);
  expect([...moved.keys()]).toEqual(["1", "3"]);
  const members = graph.nodes.flatMap((node) => {
    const position = moved.get(node.id);
    return position ? [{ ...node, position }] : [];
  });
  const xs = members.map(({ position }) => position.x);
  const ys = members.map(({ position }) => position.y);
  const box = {
    x: Math.min(...xs) - 10,
    y: Math.min(...ys) - 70,
    width: Math.max(...xs) - Math.min(...xs) + 400,
    height: Math.max(...ys) - Math.min(...ys) + 300,
  };
  for (const other of graph.nodes.filter(({ id }) => !moved.has(id)))
    expect(isInside(box, { ...other.position, ...other.size })).toBe(false);
  expect(
    broughtTogether({ ...graph, nodes: [...members, ...graph.nodes.filter(({ id }) => !moved.has(id))] }, [
      "1",
      "3",
    ]),
  ).toEqual(new Map());
});

it("a group that is there is no place for others", () => {
  const graph = graphOf([0, 0], [400, 0], [800, 0], [0, 300], [800, 300]);
  const grouped = { ...graph, groups: [{ title: "below", nodes: ["4", "5"] }] };
  const moved = broughtTogether(grouped, ["1", "3"]);
  for (const { x, y } of moved.values()) expect(x < 1200 && y > 220 && y < 500).toBe(false);
});
