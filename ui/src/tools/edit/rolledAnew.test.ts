import { expect, it } from "vitest";
import { setNodeWidgetValue } from "../setNodeWidgetValue";
import { edit } from "../testing/editCalls";
import { testCalls } from "../testing/testCall";

const told = "Rolled anew by the next run: 1.seed, as control_after_generate is randomize (fixed keeps it).";
const seed = { op: "set", nodes: ["1"], widgets: { seed: 42 } };

it("tells of a seed that the next run gives up, in a batch and alone", async () => {
  expect(await edit(testCalls(["KSampler"]), seed)).toMatchObject({ summary: expect.stringContaining(told) });
  const alone = await testCalls(["KSampler"]).call(setNodeWidgetValue, {
    node: "1",
    widget: "seed",
    value: 42,
  });
  expect(alone).toMatchObject({ summary: expect.stringContaining(told) });
});

it("does not of one that is kept, of other values, nor of one that is carried over", async () => {
  const silent = { summary: expect.not.stringContaining("Rolled") };
  const kept = { ...seed, widgets: { seed: 42, control_after_generate: "fixed" } };
  expect(await edit(testCalls(["KSampler"]), kept)).toMatchObject(silent);
  expect(await edit(testCalls(["KSampler"]), { ...seed, widgets: { steps: 8 } })).toMatchObject(silent);
  const replace = { op: "replace", nodes: ["1"], type: "KSampler" };
  expect(await edit(testCalls(["KSampler"]), replace)).toMatchObject(silent);
});
