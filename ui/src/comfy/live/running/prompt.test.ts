import { describe, expect, it } from "vitest";
import type { Page } from "../page";
import { changedPrompt, makePrompt, readPrompt } from "./prompt";

const widgets = (...names: string[]) => names.map((name) => ({ name, value: 0 }));

const sampler = { id: 3, type: "KSampler", widgets: widgets("seed", "control_after_generate", "steps") };
const graph = <Node extends { id: number }>(...nodes: Node[]) => ({
  nodes,
  getNodeById: (id: string | number) => nodes.find((node) => String(node.id) === String(id)),
});

const instance = (id: number) => ({ id, type: "sub", subgraph: graph(sampler) });

const page = (...nodes: { id: number }[]) => ({ app: { graph: graph(...nodes) } }) as unknown as Page;

const saved = { id: 3, type: "KSampler", widgets_values: [1, "randomize", 20] };

const made = (output: string[], workflow: object) =>
  readPrompt({
    made: {
      output: Object.fromEntries(
        output.map((id) => [id, { class_type: "KSampler", inputs: { seed: 1, steps: 20 }, extra: "kept" }]),
      ),
      workflow,
    },
  });

it("The prompt of the page is what there is where the function of a pack fails, and that is said", async () => {
  const own = { output: { "3": { class_type: "KSampler", inputs: {} } }, workflow: {} };
  const failing = {
    app: {
      graph: graph(),
      graphToPrompt: async () => own,
      ue_modified_prompt: async () => {
        throw new Error("no link 7.");
      },
    },
  } as unknown as Page;
  expect(readPrompt(await makePrompt(failing))).toMatchObject({
    nodes: own.output,
    packFailure: expect.stringContaining(
      "Use Everywhere failed where it hands on its links for a run (no link 7)",
    ),
  });
});

describe("a run's own values", () => {
  it("are in what runs and in the workflow that its files carry, and nowhere else", () => {
    const prompt = made(["3"], { nodes: [saved], version: 0.4 });
    const changed = changedPrompt(page(sampler), prompt, [
      { node: "3", input: "seed", value: 7 },
      { node: "3", input: "steps", value: 4 },
    ]);
    expect(changed).toEqual({
      nodes: { "3": { class_type: "KSampler", inputs: { seed: 7, steps: 4 }, extra: "kept" } },
      workflow: { nodes: [{ ...saved, widgets_values: [7, "randomize", 4] }], version: 0.4 },
    });
    expect(prompt).toEqual(made(["3"], { nodes: [saved], version: 0.4 }));
  });

  it("are written by name where an extension saves them so", () => {
    const workflow = { nodes: [{ id: "3", type: "KSampler", widgets_values: { seed: 1 } }] };
    const changed = changedPrompt(page(sampler), made(["3"], workflow), [
      { node: "3", input: "seed", value: 7 },
    ]);
    expect(changed.workflow).toMatchObject({ nodes: [{ widgets_values: { seed: 7 } }] });
  });

  it("reach into a subgraph, unless its definition is shared", () => {
    const workflow = (...instances: number[]) => ({
      nodes: instances.map((id) => ({ id, type: "sub" })),
      definitions: { subgraphs: [{ id: "sub", nodes: [saved] }] },
    });
    const seedOf = (...instances: number[]) =>
      changedPrompt(page(...instances.map(instance)), made(["6:3"], workflow(...instances)), [
        { node: "6:3", input: "seed", value: 7 },
      ]);
    expect(seedOf(6)).toMatchObject({
      nodes: { "6:3": { inputs: { seed: 7 } } },
      workflow: { definitions: { subgraphs: [{ nodes: [{ widgets_values: [7, "randomize", 20] }] }] } },
    });
    expect(seedOf(6, 8)).toMatchObject({
      nodes: { "6:3": { inputs: { seed: 7 } } },
      workflow: { definitions: { subgraphs: [{ nodes: [{ widgets_values: [1, "randomize", 20] }] }] } },
    });
  });

  it("change what runs even where the saved workflow cannot be read", () => {
    const changed = changedPrompt(page(sampler), made(["3"], { nodes: "?" }), [
      { node: "3", input: "seed", value: 7 },
    ]);
    expect(changed).toMatchObject({ nodes: { "3": { inputs: { seed: 7 } } }, workflow: { nodes: "?" } });
  });
});
