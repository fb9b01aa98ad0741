import { describe, expect, it } from "vitest";
import type { Graph } from "./graph";
import { graphRevision } from "./revision";

const graph: Graph = {
  scope: { kind: "workflow" },
  groups: [],
  selection: [],
  nodes: ["1", "2"].map((id) => ({
    id,
    type: "ImageInvert",
    title: "Invert",
    defaultTitle: "Invert",
    mode: "active",
    isInstalled: true,
    inputs: [{ name: "image", type: "IMAGE", isWidget: false, isOptional: false }],
    outputs: [{ name: "IMAGE", type: "IMAGE", linkedTo: [] }],
    widgets: [{ name: "amount", kind: "number", value: 1 }],
    position: { x: 0, y: 0 },
    size: { width: 100, height: 50 },
  })),
};

const changed = (change: (graph: Graph) => void) => {
  const copy = structuredClone(graph);
  change(copy);
  return graphRevision(copy);
};

const first = (copy: Graph) => copy.nodes[0] as Graph["nodes"][number];

describe("the revision of a graph", () => {
  it.each<[string, (graph: Graph) => void]>([
    ["a node is removed", (copy) => copy.nodes.pop()],
    [
      "a value is set",
      (copy) => first(copy).widgets.splice(0, 1, { name: "amount", kind: "number", value: 2 }),
    ],
    ["a title is given", (copy) => Object.assign(first(copy), { title: "mine" })],
    ["a node is bypassed", (copy) => Object.assign(first(copy), { mode: "bypassed" })],
    [
      "a link is drawn",
      (copy) =>
        Object.assign(first(copy).inputs[0] ?? {}, { linkedFrom: { node: "2", output: 0, name: "IMAGE" } }),
    ],
    [
      "a subgraph is opened",
      (copy) => Object.assign(copy, { scope: { kind: "subgraph", id: "s", name: "n", outputs: [] } }),
    ],
  ])("changes when %s", (_, change) => {
    expect(changed(change)).not.toBe(graphRevision(graph));
  });

  it.each<[string, (graph: Graph) => void]>([
    ["nodes are moved", (copy) => Object.assign(first(copy), { position: { x: 500, y: 9 } })],
    ["nodes are selected", (copy) => copy.selection.push("1")],
    ["nodes come in another order", (copy) => copy.nodes.reverse()],
  ])("stays when %s", (_, change) => {
    expect(changed(change)).toBe(graphRevision(graph));
  });
});
