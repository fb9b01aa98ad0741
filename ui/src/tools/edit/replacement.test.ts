import { expect, it } from "vitest";
import type { GraphInput, GraphNode, GraphWidget, Json } from "../../graph/graph";
import { replacementOf } from "./replacement";

const integer = (name: string, value = 0): GraphWidget => ({ name, kind: "integer", value, default: 0 });
const input = (name: string, from?: string): GraphInput => ({
  ...{ name, type: "INT", isWidget: true, isOptional: true },
  ...(from && { linkedFrom: { node: from, output: 0, name: "INT" } }),
});

function node(widgets: GraphWidget[], inputs: GraphInput[] = []): GraphNode {
  return {
    ...{ id: "1", type: "Sampler", title: "", defaultTitle: "", mode: "active", isInstalled: true },
    ...{ inputs, outputs: [], widgets, position: { x: 0, y: 0 }, size: { width: 0, height: 0 } },
  };
}

const replaced = (old: GraphNode, blank: GraphNode) => replacementOf(old, blank, () => "*");

it("A value and a link go on under a name that has the old one in it", () => {
  const old = node([integer("seed", 7), integer("steps", 9)], [input("seed", "5"), input("steps")]);
  const blank = node(
    [integer("noise_seed"), integer("steps"), integer("start_at_step")],
    [input("noise_seed"), input("steps"), input("start_at_step")],
  );
  expect(replaced(old, blank)).toMatchObject({
    inputs: [{ slot: 0, from: { node: "5" } }],
    values: [
      { widget: "noise_seed", value: 7 },
      { widget: "steps", value: 9 },
    ],
    lost: [],
    renamed: [{ from: "seed", to: "noise_seed" }],
  });
});

it("A growing row goes on in its order, however its inputs are numbered", () => {
  const image = (name: string, from?: string, row?: string): GraphInput => ({
    ...input(name, from),
    isWidget: false,
    ...(row !== undefined && { row }),
  });
  const grown = (...from: string[]) =>
    [0, 1].map((index) => image(`images.image${index}`, from[index], "images"));
  const numbered = (...from: string[]) => [1, 2].map((number) => image(`image${number}`, from[number - 1]));
  const pairs = [
    [grown("5", "6"), numbered()],
    [numbered("5", "6"), grown()],
  ] as const;
  for (const [old, fresh] of pairs)
    expect(replaced(node([], old), node([], fresh)).inputs).toMatchObject([
      { slot: 0, from: { node: "5" } },
      { slot: 1, from: { node: "6" } },
    ]);
});

it.each([
  ["where two new ones have it", [integer("seed", 7)], [integer("noise_seed"), integer("seed_2")]],
  ["where it would stand for two", [integer("seed", 7), integer("noise_seed_2", 8)], [integer("noise_seed")]],
  ["where it is a part of a word", [integer("seed", 7)], [integer("seeds")]],
  ["where the kinds differ", [integer("seed", 7)], [{ ...integer("noise_seed"), kind: "text" } as const]],
])("No name is guessed %s", (_, old, fresh) => {
  const found = replaced(node(old), node(fresh));
  expect(found).toMatchObject({ values: [], renamed: [] });
  expect(found.lost).toContain("seed=7");
});

it("A type that is not installed hands on by name what its inputs name, and tells nothing lost that is given", () => {
  const saved = (savedValues: Json[], ...names: string[]): GraphNode => ({
    ...node(
      [],
      names.map((name) => input(name)),
    ),
    savedValues,
  });
  const blank = node([integer("steps"), integer("seed")]);
  const old = saved([7, "fixed", 20, 8], "seed", "steps", "cfg");
  expect(replaced(old, blank)).toMatchObject({
    values: [
      { widget: "seed", value: 7 },
      { widget: "steps", value: 20 },
    ],
    lost: ["cfg=8"],
  });
  expect(replacementOf(old, blank, () => "*", { cfg: 5 }).lost).toEqual([]);
  expect(replaced(saved([7, 20], "seed"), blank).values).toEqual([
    { widget: "steps", value: 7 },
    { widget: "seed", value: 20 },
  ]);
  expect(replacementOf(saved([7, 20, 8], "seed"), blank, () => "*", { steps: 20 }).lost).toEqual([
    "#0=7",
    "#2=8",
  ]);
});
