import { expect, it } from "vitest";
import type { LiveGraph } from "../page";
import { checkRunSize } from "./runSize";

/** Each graph holds a node, and twice the next one. */
function twice(depth: number): LiveGraph {
  const subgraph = depth > 0 ? twice(depth - 1) : undefined;
  const nodes = [{ id: 1 }, ...(subgraph ? [2, 3].map((id) => ({ id, subgraph })) : [])];
  return { nodes } as unknown as LiveGraph;
}

it("lets a workflow pass that can be run", () => {
  expect(() => checkRunSize(twice(12))).not.toThrow();
});

it("tells at once how many nodes a small file would run", () => {
  expect(() => checkRunSize(twice(40))).toThrow(
    "hold each other so often that 4,398,046,511,101 nodes would run; at most 20,000 are looked at.",
  );
});

it("ends where a graph holds itself", () => {
  const graph = twice(0);
  graph.nodes.push({ id: 2, subgraph: graph } as unknown as LiveGraph["nodes"][number]);
  expect(() => checkRunSize(graph)).not.toThrow();
});
