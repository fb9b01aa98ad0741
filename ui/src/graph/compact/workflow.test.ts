import { expect, it } from "vitest";
import { outlineWorkflow } from "./outline";
import { type CompactNode, instancePaths, noWorkflow } from "./workflow";

const node = (id: string, type: string): CompactNode => ({
  id,
  type,
  mode: "active",
  links: [],
  values: [],
  shown: [],
});

/** Each subgraph holds the next one twice. */
const doubled = (depth: number) => ({
  ...noWorkflow,
  nodes: [node("1", "S1")],
  subgraphs: Array.from({ length: depth }, (_, index) => ({
    ...noWorkflow,
    key: `S${index + 1}`,
    name: "Twice",
    inputs: [],
    outputs: [],
    nodes: ["1", "2"].map((id) => node(id, index + 1 < depth ? `S${index + 2}` : "EmptyImage")),
  })),
});

it("tells where each subgraph is, as often as it is used", () => {
  expect([...instancePaths(doubled(3))]).toEqual([
    ["S1", ["1"]],
    ["S2", ["1:1", "1:2"]],
    ["S3", ["1:1:1", "1:1:2", "1:2:1", "1:2:2"]],
  ]);
});

it("tells the first thousand places of what a small file makes any number of", () => {
  const paths = instancePaths(doubled(40));
  expect(paths.size).toBe(40);
  expect([...paths.values()].map(({ length }) => length)).toEqual(
    Array.from({ length: 40 }, (_, index) => Math.min(2 ** index, 1000)),
  );
  expect(outlineWorkflow(doubled(40))).toContain('subgraph S40 "Twice" at 1:1:1');
});
