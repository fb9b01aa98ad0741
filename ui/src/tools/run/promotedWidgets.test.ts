import { describe, expect, it } from "vitest";
import type { PromptNodes } from "../../graph/prompt";
import { editWorkflow } from "../editWorkflow";
import { testCalls } from "../testing/testCall";
import { planRuns } from "./planRuns";

/** A sampler in a subgraph, in another if `isNested`, with its steps shown outside as `effort`. */
async function shownSteps({ isNested = false } = {}) {
  const calls = testCalls(["KSampler"]);
  const edit = async (operations: object[]) => {
    const result = await calls.call(editWorkflow, { operations });
    expect(result).toMatchObject({ ok: true });
  };
  await edit([{ op: "makeSubgraph", nodes: ["1"], title: "Sampling" }]);
  await edit([{ op: "promote", to: "2:1.steps", title: "effort" }]);
  if (isNested) {
    await edit([{ op: "makeSubgraph", nodes: ["2"], title: "Outer" }]);
    await edit([{ op: "promote", to: "3:2.effort" }]);
  }
  return calls.comfy;
}

const runOf = (id: string): PromptNodes => ({
  [id]: { class_type: "KSampler", inputs: { steps: 20, cfg: 8 } },
});

describe("a widget of a subgraph's node", () => {
  it("is varied where it lies inside, and remembered where it is shown", async () => {
    const comfy = await shownSteps();
    const vary = [{ node: "2", widget: "effort", values: [5, "9"] }];
    expect(planRuns(comfy, runOf("2:1"), { seeds: [], vary })).toEqual([
      {
        changes: [{ node: "2:1", input: "steps", value: 5, shown: { node: "2", input: "effort" } }],
        values: { "2.effort": 5 },
      },
      {
        changes: [{ node: "2:1", input: "steps", value: 9, shown: { node: "2", input: "effort" } }],
        values: { "2.effort": 9 },
      },
    ]);
  });

  it("is found by the subgraph's title, and through subgraphs in subgraphs", async () => {
    const comfy = await shownSteps({ isNested: true });
    for (const [node, name] of [
      ["Outer", "3.effort"],
      ["3:2", "3:2.effort"],
    ] as const) {
      const vary = [{ node, widget: "effort", values: [5] }];
      const [run] = planRuns(comfy, runOf("3:2:1"), { seeds: [], vary });
      expect(run?.changes).toMatchObject([{ node: "3:2:1", input: "steps", value: 5 }]);
      expect(run?.values).toEqual({ [name]: 5 });
    }
  });

  it("is refused where there is none of that name, or its value does not fit", async () => {
    const comfy = await shownSteps();
    const plan = (widget: string, value: string) =>
      planRuns(comfy, runOf("2:1"), { seeds: [], vary: [{ node: "2", widget, values: [value] }] });
    expect(() => plan("steps", "5")).toThrow('The subgraph "Sampling" (node 2) shows no widget "steps"');
    expect(() => plan("effort", "many")).toThrow("many");
  });
});
