import { expect, it } from "vitest";
import { runsOtherwise } from "./runsOtherwise";

const node = (id: number, more: object = {}) => ({
  id,
  type: "Node",
  mode: 0,
  inputs: [{ name: "image" }],
  widgets_values: [1, "text", { preview: 1 }],
  ...more,
});
const state = (nodes: object[], source = 1) => ({ nodes, links: [[7, source, 0, 2, 0, "IMAGE"]] });
const meant = state([node(1), node(2), node(3)]);

it.each([
  ["the same", meant, []],
  ["another value", state([node(1, { widgets_values: [2, "text", {}] }), node(2), node(3)]), ["1 Node"]],
  ["another type", state([node(1, { type: "Newer" }), node(2), node(3)]), ["1 Node"]],
  ["another mode", state([node(1, { mode: 4 }), node(2), node(3)]), ["1 Node"]],
  ["another link", state([node(1), node(2), node(3)], 3), ["2 Node"]],
  [
    "another preview",
    state([node(1, { widgets_values: [1, "text", { preview: 2 }] }), node(2), node(3)]),
    [],
  ],
  [
    "inputs that a pack has put before the one that is linked",
    {
      nodes: [node(1), node(2, { inputs: [{ name: "new" }, { name: "image" }] }), node(3)],
      links: [[9, 1, 0, 2, 1, "IMAGE"]],
    },
    [],
  ],
])("of a state loaded with %s is told what runs otherwise", (_, shown, told) => {
  expect(runsOtherwise(meant, shown)).toEqual(told);
});

it("What lies inside a subgraph is told with it", () => {
  const inside = (value: number) => ({
    nodes: [],
    definitions: {
      subgraphs: [{ id: "s", name: "Upscale", ...state([node(1, { widgets_values: [value] })]) }],
    },
  });
  expect(runsOtherwise(inside(1), inside(2))).toEqual(["Upscale: 1 Node"]);
});
