import { expect, it } from "vitest";
import { setNodeWidgetValue } from "../setNodeWidgetValue";
import { edit } from "../testing/editCalls";
import { testCalls } from "../testing/testCall";
import { rolledAnew } from "./rolledAnew";

const told =
  "Used by the next run, then changed by ComfyUI: 1.seed (control_after_generate=randomize; fixed keeps it).";
const seed = { op: "set", nodes: ["1"], widgets: { seed: 42 } };

it("tells of a seed that the next run uses and gives up, in a batch and alone", async () => {
  expect(await edit(testCalls(["KSampler"]), seed)).toMatchObject({ summary: expect.stringContaining(told) });
  const alone = await testCalls(["KSampler"]).call(setNodeWidgetValue, {
    node: "1",
    widget: "seed",
    value: 42,
  });
  expect(alone).toMatchObject({ summary: expect.stringContaining(told) });
});

it("does not of one that is kept, of other values, nor of one that is carried over", async () => {
  const silent = { summary: expect.not.stringContaining("next run") };
  const kept = { ...seed, widgets: { seed: 42, control_after_generate: "fixed" } };
  expect(await edit(testCalls(["KSampler"]), kept)).toMatchObject(silent);
  expect(await edit(testCalls(["KSampler"]), { ...seed, widgets: { steps: 8 } })).toMatchObject(silent);
  const replace = { op: "replace", nodes: ["1"], type: "KSampler" };
  expect(await edit(testCalls(["KSampler"]), replace)).toMatchObject(silent);
});

it("does not say that the next run uses it where ComfyUI is set to roll before runs", () => {
  const { comfy } = testCalls(["KSampler"]);
  const node = comfy.node("1");
  const control = node?.widgets.find(({ name }) => name === "control_after_generate");
  if (control) control.label = "control before generate";
  const steps = [{ at: { place: [] }, sets: { node: "1", widget: "seed" } }];
  const rolled = rolledAnew(
    { ...comfy, node: () => node } as never,
    { changed: [] } as never,
    { steps } as never,
    { idOf: (id) => id },
  );
  expect(rolled).toMatchObject([{ isBeforeRun: true }]);
});
