import { expect, it } from "vitest";
import { getWorkflowInfo } from "../getWorkflowInfo";
import { testCalls } from "../testing/testCall";
import { openWorkflow } from "./openWorkflow";

it("tells the name and the size of what is open, and what was read last where that is another", async () => {
  const { comfy, call } = testCalls(["EmptyImage", "SaveImage"]);
  expect(openWorkflow(comfy, {})).toEqual({ name: "Test", nodes: 2 });
  await call(getWorkflowInfo);
  expect(openWorkflow(comfy, { lastRead: "Older" })).toEqual({ name: "Test", nodes: 2 });
  comfy.openWorkflow({ key: "workflows/Other.json", name: "Other", isModified: false });
  expect(openWorkflow(comfy, {})).toEqual({ name: "Other", nodes: 2, lastRead: "Test" });
});

it("brings the graph along where a model is shown it, which counts as having read it", async () => {
  const { comfy, call } = testCalls(["EmptyImage"]);
  await call(getWorkflowInfo);
  comfy.openWorkflow({ key: "workflows/Other.json", name: "Other", isModified: false });
  expect(openWorkflow(comfy, {}, true)).toMatchObject({ graph: { nodes: [{ type: "EmptyImage" }] } });
  expect(openWorkflow(comfy, {})).toEqual({ name: "Other", nodes: 1 });
});

it("says nothing where ComfyUI cannot be read", () => {
  const { comfy } = testCalls();
  const read = () => {
    throw new Error("An extension cannot save its node.");
  };
  expect(openWorkflow({ ...comfy, whole: { ...comfy.whole, read } }, {})).toBeUndefined();
});
