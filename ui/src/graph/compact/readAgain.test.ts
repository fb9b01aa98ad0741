import { describe, expect, it } from "vitest";
import type { NodeShape } from "../nodeShape";
import type { UiGraph, UiNode, UiWorkflow } from "../uiWorkflow";
import { randomWorkflow, shapeOf } from "./randomWorkflow";
import { readWorkflow, type WorkflowSource } from "./read";
import { createWorkflowReader } from "./readAgain";
import { savedAs, sourceOfSaved } from "./testSaved";

type Shapes = (type: string) => NodeShape | undefined;

const shapes = new Map<string, NodeShape | undefined>();
/** The same object each time, as a page gives it. */
const keptShape: Shapes = (type) => {
  if (!shapes.has(type)) shapes.set(type, shapeOf(type));
  return shapes.get(type);
};

const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

/** A reading after the change is what reading afresh gives; how many nodes of it are those of the reading before. */
function readAfter(
  workflow: UiWorkflow,
  change: (saved: UiWorkflow) => WorkflowSource | undefined,
  shape: Shapes = keptShape,
): number {
  const read = createWorkflowReader();
  const before = read(sourceOfSaved(structuredClone(workflow)), shape);
  const changed = structuredClone(workflow);
  const source = change(changed) ?? sourceOfSaved(changed);
  const after = read(source, shape);
  expect(after).toEqual(readWorkflow(source, shape));
  return after.nodes.filter((node) => before.nodes.includes(node)).length;
}

const first = ({ nodes }: UiGraph) => nodes[0] as UiNode;

function renameAll(...lists: ({ name: string }[] | undefined)[]): void {
  for (const named of lists.flatMap((list) => list ?? [])) named.name += "!";
}

/** What they return is where the page tells otherwise; by default what is saved. */
const changes: [string, (saved: UiWorkflow) => WorkflowSource | undefined][] = [
  ["nothing", () => undefined],
  ["a value", (saved) => void Object.assign(first(saved), { widgets_values: ["other", 7, 7, 7] })],
  ["a title", (saved) => void Object.assign(first(saved), { title: "other" })],
  ["a place", (saved) => void Object.assign(first(saved), { pos: [1, 2] })],
  ["a mode", (saved) => void Object.assign(first(saved), { mode: 2 })],
  ["a type", (saved) => void Object.assign(first(saved), { type: "NotInstalled" })],
  ["links", (saved) => void saved.links.splice(0)],
  ["a node that is gone", (saved) => void saved.nodes.splice(0, 1)],
  ["the order of nodes", (saved) => void saved.nodes.reverse()],
  ["the names of outputs", (saved) => renameAll(first(saved).outputs) as undefined],
  ["the names of subgraphs", ({ definitions }) => renameAll(definitions?.subgraphs) as undefined],
  [
    "the inputs of subgraphs",
    ({ definitions }) =>
      renameAll(...(definitions?.subgraphs ?? []).map(({ inputs }) => inputs)) as undefined,
  ],
  [
    "modes inside subgraphs",
    ({ definitions }) => {
      for (const { nodes } of definitions?.subgraphs ?? []) Object.assign(nodes[0] ?? {}, { mode: 4 });
      return undefined;
    },
  ],
  ["what subgraphs show", (saved) => ({ ...sourceOfSaved(saved), widgets: () => [] })],
  [
    "files that went missing",
    (saved) => {
      const { widgets } = sourceOfSaved(saved);
      const gone = (...node: Parameters<typeof widgets>) =>
        widgets(...node)?.map((widget) => ({ ...widget, isMissing: true }));
      return { workflow: saved, widgets: gone };
    },
  ],
  ["what follows another", (saved) => ({ ...sourceOfSaved(saved), follows: () => ["1"] })],
];

describe("a workflow that is read again", () => {
  it.each(changes)("is told as it is after a change of %s", (_, change) => {
    for (const seed of seeds) readAfter(savedAs(randomWorkflow(seed)), change);
  });

  it.each(changes)("is told as it is after a change of %s, of types that are not installed", (_, change) => {
    for (const seed of seeds) readAfter(savedAs(randomWorkflow(seed)), change, () => undefined);
  });

  it("has the nodes of the reading before, but for those that changed", () => {
    for (const seed of seeds) {
      const workflow = savedAs(randomWorkflow(seed));
      expect(readAfter(workflow, () => undefined)).toBe(workflow.nodes.length);
      const renamed = readAfter(workflow, (saved) => void Object.assign(first(saved), { title: "other" }));
      expect(renamed).toBe(workflow.nodes.length - 1);
    }
  });

  it("is told as it is where the page writes into what it gave", () => {
    const workflow = savedAs(randomWorkflow(1));
    const read = createWorkflowReader();
    const source = { workflow, widgets: () => undefined };
    read(source, keptShape);
    Object.assign(first(workflow), { title: "other" });
    expect(read(source, keptShape).nodes[0]?.title).toBe("other");
  });

  it("is told by the types that are installed now", () => {
    const workflow = savedAs(randomWorkflow(1));
    const read = createWorkflowReader();
    const source = sourceOfSaved(workflow);
    read(source, keptShape);
    expect(read(source, () => undefined)).toEqual(readWorkflow(source, () => undefined));
  });

  it("is told where a page holds what no JSON can say", () => {
    const workflow = savedAs(randomWorkflow(1));
    Object.assign(first(workflow), { flags: { count: 1n } });
    const read = createWorkflowReader();
    const source = sourceOfSaved(workflow);
    expect(read(source, keptShape)).toEqual(read(source, keptShape));
  });
});
