import { expect, it } from "vitest";
import { parseCompact } from "./compact/parse";
import { writeCompact } from "./compact/write";
import type { Graph, GraphNode, LinkSource } from "./graph";
import { type UnwiredLink, unwiredLinks } from "./unwired";

const node = (
  id: string,
  inputs: Record<string, LinkSource | undefined>,
  outputs: readonly string[],
  more: Partial<GraphNode> = {},
): GraphNode => ({
  ...{ id, type: `Type${id}`, title: "", defaultTitle: "", mode: "active", isInstalled: true, widgets: [] },
  ...{ position: { x: 0, y: 0 }, size: { width: 1, height: 1 } },
  inputs: Object.entries(inputs).map(([name, linkedFrom]) => ({
    ...{ name, type: "*", isWidget: false, isOptional: false },
    ...(linkedFrom && { linkedFrom }),
  })),
  outputs: outputs.map((name) => ({ name, type: "*", linkedTo: [] })),
  ...more,
});

const graph = (nodes: GraphNode[], scope: Graph["scope"] = { kind: "workflow" }): Graph => ({
  ...{ scope, nodes, groups: [], selection: [] },
});

const from = (id: string, output = 0): LinkSource => ({ node: id, output, name: "" });
const isOutput = (type: string) => type === "Type9";
const run = (inputs: Record<string, [string, number]>) => ({ class_type: "X", inputs });

const told = (links: readonly UnwiredLink[]) =>
  links.map(({ place, node: id, input, source, output, via }) => ({
    into: `${[...place, id].join(":")}.${input}`,
    from: `${source}.${output}`,
    ...(via !== undefined && { via }),
  }));

it("are those that what runs has beyond the wires", () => {
  const nodes = [
    node("1", {}, ["MODEL", "VAE"]),
    node("2", { model: undefined, vae: from("1", 1) }, ["IMAGE"]),
    node("3", { anything: from("1", 0) }, []),
    node("9", { images: from("1", 0) }, []),
  ];
  const prompt = { 1: run({}), 2: run({ model: ["1", 0], vae: ["1", 1] }), 9: run({ images: ["1", 0] }) };
  expect(told(unwiredLinks([{ place: [], graph: graph(nodes) }], prompt, isOutput))).toEqual([
    { into: "2.model", from: "1.0", via: "3" },
  ]);
});

it("name nobody in between where several could be, or none", () => {
  const prompt = { 1: run({}), 2: run({ model: ["1", 0] }) };
  const [source, target] = [node("1", {}, ["MODEL"]), node("2", { model: undefined }, [])];
  for (const others of [[], ["3", "4"].map((id) => node(id, { anything: from("1") }, []))])
    expect(
      told(unwiredLinks([{ place: [], graph: graph([source, target, ...others]) }], prompt, isOutput)),
    ).toEqual([{ into: "2.model", from: "1.0" }]);
});

it("lead to a subgraph's node where its inner node is fed by it, and come from one by its outer slot", () => {
  const inside = (id: string, nodes: GraphNode[], output: LinkSource | undefined) =>
    graph(nodes, {
      ...{ kind: "subgraph", id, name: id, inputs: [{ name: "model", type: "MODEL" }] },
      outputs: [{ name: "OUT", type: "MODEL", ...(output && { linkedFrom: output }) }],
    });
  const [one, other] = ["a", "b"].map((id) => ({ id, name: id }));
  const root = graph([
    node("5", {}, ["OUT"], { ...(one && { subgraph: one }) }),
    node("6", { model: undefined }, [], { ...(other && { subgraph: other }) }),
    node("3", { anything: from("5") }, []),
  ]);
  const placed = [
    { place: [], graph: root },
    { place: ["5"], graph: inside("a", [node("1", {}, ["MODEL"])], from("1")) },
    {
      place: ["6"],
      graph: inside("b", [node("1", { model: { ...from("input"), name: "model" } }, [])], undefined),
    },
  ];
  const prompt = { "5:1": run({}), "6:1": run({ model: ["5:1", 0] }) };
  expect(told(unwiredLinks(placed, prompt, isOutput))).toEqual([{ into: "6.model", from: "5.0", via: "3" }]);
});

it.each([
  "3 KSampler model<1(via 2) positive<7:3.CONDITIONING(no wire)",
  "4 GetNode <2(no wire) Constant=img",
])("are written and read back as remarks of a line: %s", (line) => {
  const parsed = parseCompact(line);
  expect(writeCompact(parsed)).toBe(line);
  expect(parsed.nodes[0]?.links.every(({ unwired }) => unwired)).toBe(true);
});

it("are no place for another remark", () => {
  expect(() => parseCompact("3 KSampler model<1(maybe)")).toThrow('"(maybe)" after a source');
});
