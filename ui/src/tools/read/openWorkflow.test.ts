import { expect, it } from "vitest";
import { getWorkflowInfo } from "../getWorkflowInfo";
import { setNodeWidgetValue } from "../setNodeWidgetValue";
import { testCalls } from "../testing/testCall";
import { mostNodes, openWorkflow } from "./openWorkflow";

it("tells the name and the size of what is open, and what was read last where that is another", async () => {
  const { comfy, call } = testCalls(["EmptyImage", "SaveImage"]);
  expect(await openWorkflow(comfy, {})).toEqual({ name: "Test", nodes: 2 });
  await call(getWorkflowInfo);
  expect(await openWorkflow(comfy, { lastRead: "Older" })).toEqual({ name: "Test", nodes: 2 });
  comfy.openWorkflow({ key: "workflows/Other.json", name: "Other", isModified: false });
  expect(await openWorkflow(comfy, {})).toEqual({ name: "Other", nodes: 2, lastRead: "Test" });
});

it("tells which nodes the person has changed since the model read them, and not by what it changed itself", async () => {
  const { comfy, call } = testCalls(["EmptyImage", "KSampler", "EmptyImage"]);
  await call(getWorkflowInfo);
  await call(setNodeWidgetValue, { node: "1", widget: "width", value: 65 });
  comfy.edit((editor) => editor.setWidget("2", "seed", 7));
  expect(await openWorkflow(comfy, {})).toEqual({ name: "Test", nodes: 3 });
  comfy.edit((editor) => editor.setWidget("2", "steps", 7));
  comfy.edit((editor) => editor.removeNode("3"));
  expect(await openWorkflow(comfy, {})).toEqual({ name: "Test", nodes: 2, changed: ["3", "2"] });
  expect(await openWorkflow(comfy, {}, { isShown: true })).not.toHaveProperty("changed");
});

it("tells why the last run failed, whether or not a model is shown the graph", async () => {
  const { comfy } = testCalls(["EmptyImage"]);
  const failure = { problems: [], error: { message: "shapes differ", node: "1", type: "EmptyImage" } };
  comfy.queue.shown = failure;
  expect(await openWorkflow(comfy, {})).toEqual({ name: "Test", nodes: 1, failure });
  expect(await openWorkflow(comfy, {}, { isShown: true })).toMatchObject({ graph: {}, failure });
});

it("brings the graph along where a model is shown it, which counts as having read it", async () => {
  const { comfy, call } = testCalls(["EmptyImage"]);
  await call(getWorkflowInfo);
  comfy.openWorkflow({ key: "workflows/Other.json", name: "Other", isModified: false });
  expect(await openWorkflow(comfy, {}, { isShown: true })).toMatchObject({
    graph: { nodes: [{ type: "EmptyImage" }] },
  });
  expect(await openWorkflow(comfy, {})).toEqual({ name: "Other", nodes: 1 });
});

it("says nothing where ComfyUI cannot be read", async () => {
  const { comfy } = testCalls();
  const read = () => {
    throw new Error("An extension cannot save its node.");
  };
  expect(await openWorkflow({ ...comfy, whole: { ...comfy.whole, read } }, {})).toBeUndefined();
});

it("brings no graph along that is larger than a message may be", async () => {
  const { comfy } = testCalls(["KSampler"]);
  const tell = (count: number) => {
    const { workflow, ...source } = comfy.whole.read();
    const nodes = Array.from({ length: count }, (_, id) => ({ ...workflow.nodes[0], id: id + 1 }));
    const read = () =>
      ({ ...source, workflow: { ...workflow, nodes } }) as ReturnType<typeof comfy.whole.read>;
    return openWorkflow({ ...comfy, whole: { ...comfy.whole, read } }, {}, { isShown: true });
  };
  const told = await tell(mostNodes);
  expect(told?.graph?.nodes).toHaveLength(mostNodes);
  expect(JSON.stringify(told).match(/[[\]{},]/g)?.length).toBeLessThan(75_000);
  expect(await tell(mostNodes + 1)).toEqual({ name: "Test", nodes: mostNodes + 1 });
});
