import { describe, expect, it } from "vitest";
import { createFakeComfy } from "../../comfy/fake";
import type { UiWorkflow } from "../../graph/uiWorkflow";
import { applyWorkflow } from "../applyWorkflow";
import { edit } from "../testing/editCalls";
import { callsOn } from "../testing/testCall";

const inputs = [
  ["1", "width"],
  ["1", "color"],
  ["4", "steps"],
];

/** An app of an image, its saving and a sampler. */
async function app() {
  const calls = callsOn(createFakeComfy());
  await calls.call(applyWorkflow, { workflow: "1 EmptyImage\n3 SaveImage images<1\n4 KSampler" });
  const { workflow } = calls.comfy.whole.read();
  const extra = { linearMode: true, linearData: { inputs, outputs: ["3"] } };
  await calls.comfy.whole.load(structuredClone({ ...workflow, extra }) as never);
  const data = () => (calls.comfy.whole.read().workflow as UiWorkflow & { extra?: object }).extra;
  return { calls, data };
}

describe("What an app no longer shows is told", () => {
  it.each([
    ["of a node of another type", { op: "replace", nodes: ["1"], type: "EmptyLatentImage" }, "1.color"],
    ["of nodes in a subgraph", { op: "makeSubgraph", nodes: ["1", "3"] }, "1.width, 1.color"],
    ["of a removed node", { op: "remove", nodes: ["3"] }, "3 SaveImage"],
  ])("%s", async (_, operation, hidden) => {
    const { calls } = await app();
    expect(await edit(calls, operation)).toMatchObject({
      summary: expect.stringContaining(` The app no longer shows: ${hidden}.`),
    });
  });

  it("with lines that have it no more, and undoing brings it back", async () => {
    const { calls, data } = await app();
    const before = data();
    const lines = "1 EmptyLatentImage\n3 SaveImage images<5\n5 EmptyImage";
    expect(await calls.call(applyWorkflow, { workflow: lines })).toMatchObject({
      summary: expect.stringContaining(" The app no longer shows: 1.color, 4.steps."),
    });
    expect(data()).toEqual({
      linearMode: true,
      linearData: { inputs: [["1", "width"]], outputs: ["3"] },
    });
    calls.comfy.undo();
    expect(data()).toEqual(before);
  });

  it("and nothing where all of it is there", async () => {
    const { calls } = await app();
    expect(await edit(calls, { op: "set", nodes: ["1"], widgets: { width: 64 } })).not.toMatchObject({
      summary: expect.stringContaining("The app"),
    });
  });
});
