import { describe, expect, it } from "vitest";
import { growsInProportion } from "../../shared/testGrowth";
import type { UiWorkflow } from "../uiWorkflow";
import { parseCompact } from "./parse";
import { randomWorkflow, shapeOf } from "./randomWorkflow";
import { readWorkflow } from "./read";
import { savedAs, sourceOfSaved } from "./testSaved";
import type { CompactGraph, CompactWorkflow } from "./workflow";
import { writeCompact } from "./write";

const seeds = Array.from({ length: 300 }, (_, index) => index + 1);

function asWritten(workflow: CompactWorkflow): CompactWorkflow {
  const bare = <Graph extends CompactGraph>(graph: Graph): Graph => ({
    ...graph,
    nodes: graph.nodes.map(({ remarks: _, unwritten: __, ...node }) => node),
  });
  return { ...bare(workflow), subgraphs: workflow.subgraphs.map(({ id: _, ...subgraph }) => bare(subgraph)) };
}

describe("workflows by chance", () => {
  it.each(seeds)("are what they were after being written and parsed: %i", (seed) => {
    const workflow = randomWorkflow(seed);
    expect(parseCompact(writeCompact(workflow))).toEqual(workflow);
  });

  it.each(seeds)("are what they were after being built and read: %i", (seed) => {
    const workflow = randomWorkflow(seed);
    expect(asWritten(readWorkflow(sourceOfSaved(savedAs(workflow)), shapeOf))).toEqual(workflow);
  });
});

describe("a subgraph node", () => {
  const instance = (properties: Record<string, unknown>): UiWorkflow => ({
    nodes: [{ id: 1, type: "inner", properties, widgets_values: [] }],
    links: [],
    definitions: { subgraphs: [{ id: "inner", name: "Inner", nodes: [], links: [] }] },
  });
  const shownIn = (properties: Record<string, unknown>) =>
    readWorkflow({ workflow: instance(properties), widgets: () => [] }, shapeOf).nodes[0]?.shown;

  it.each<[string, Record<string, unknown>, string[]]>([
    ["its own inputs alone", { proxyWidgets: [["-1", "seed"]] }, []],
    [
      "widgets of inner nodes",
      {
        proxyWidgets: [
          ["-1", "seed"],
          ["12", "steps"],
        ],
      },
      ["12.steps"],
    ],
    [
      "previews as the newer frontend saves them",
      { previewExposures: [{ name: "a", sourceNodeId: "3", sourcePreviewName: "$$canvas" }] },
      ["3.$$canvas"],
    ],
    ["nothing", {}, []],
    ["something broken", { proxyWidgets: "no list" }, []],
  ])("shows %s", (_, properties, shown) => {
    expect(shownIn(properties)).toEqual(shown);
  });
});

describe("building", () => {
  const problem = (text: string) => () => savedAs(parseCompact(text));

  it.each([
    [
      "a subgraph that contains itself",
      '1 S1\nsubgraph S1 "a" in() out()\n2 S1\nend',
      "subgraph S1 contains itself",
    ],
    [
      "nodes that feed each other",
      "1 Blur image<2\n2 Blur image<1",
      "nodes 1 <- 2 <- 1 feed each other in a circle",
    ],
    ["a source that is not there", "1 Blur image<7", "node 1 Blur, input image: there is no node 7"],
    [
      "an output that is not clear",
      "1 Twins\n2 Blur image<1",
      "node 1 has several outputs (same, same); name one, as 1.same",
    ],
  ])("refuses %s", (_, text, message) => {
    expect(problem(text)).toThrow(message);
  });

  it("puts together thousands of nodes in a row without delay", () => {
    const together = (count: number) => {
      const line = (_: unknown, index: number) => `${index + 1} Blur${index > 0 ? ` image<${index}` : ""}`;
      const text = Array.from({ length: count }, line).join("\n");
      expect(savedAs(parseCompact(text)).nodes.length).toBe(count);
    };
    expect(growsInProportion(together, 400)).toBe(true);
  });
});
