import { expect, it } from "vitest";
import { executeWorkflow } from "../executeWorkflow";
import { getWorkflowInfo } from "../getWorkflowInfo";
import { removeNode } from "../removeNode";
import { setNodeWidgetValue } from "../setNodeWidgetValue";
import { edit } from "../testing/editCalls";
import { testCalls } from "../testing/testCall";

async function named() {
  const calls = testCalls(["EmptyImage"]);
  await edit(calls, { op: "add", type: "EmptyImage", as: "canvas" });
  return calls;
}

it("takes a name that an earlier batch has given, in batches, single tools and readings", async () => {
  const calls = await named();
  expect(
    await edit(calls, { op: "add", type: "SaveImage", inputs: { images: "canvas.IMAGE" } }),
  ).toMatchObject({
    ok: true,
  });
  expect(
    await calls.call(setNodeWidgetValue, { node: "canvas", widget: "width", value: "64" }),
  ).toMatchObject({
    ok: true,
  });
  expect(await calls.call(getWorkflowInfo, { nodeIds: ["canvas"] })).toMatchObject({
    summary: expect.stringContaining("node 2"),
  });
  expect(calls.lines()).toEqual(["1 EmptyImage >IMAGE", "2 EmptyImage width=64", "3 SaveImage images<2"]);
});

it("gives the name to the newest node that is called so", async () => {
  const calls = await named();
  await edit(calls, { op: "add", type: "EmptyImage", as: "canvas" });
  await edit(calls, { op: "set", nodes: ["canvas"], widgets: { width: 64 } });
  expect(calls.lines()).toEqual([
    "1 EmptyImage >IMAGE",
    "2 EmptyImage >IMAGE",
    "3 EmptyImage width=64 >IMAGE",
  ]);
});

it("knows a node inside a subgraph by the name that it was given there", async () => {
  const calls = await named();
  await edit(calls, { op: "makeSubgraph", nodes: ["canvas"], title: "Made", as: "made" });
  await edit(calls, { op: "add", type: "EmptyImage", as: "inner", inside: "made" });
  expect(await edit(calls, { op: "set", nodes: ["inner"], widgets: { width: 64 } })).toMatchObject({
    ok: true,
  });
});

it("knows no name of a node that is gone", async () => {
  const calls = await named();
  await calls.call(removeNode, { node: "canvas" });
  expect(
    await calls.call(setNodeWidgetValue, { node: "canvas", widget: "width", value: "64" }),
  ).toMatchObject({
    ok: false,
    error: 'There is no node "canvas" in the open graph.',
  });
});

it("knows no name by which another node of that id was called, once the edit is undone", async () => {
  const calls = await named();
  await calls.comfy.undo?.();
  await edit(calls, { op: "add", type: "ImageInvert" });
  expect(await edit(calls, { op: "title", nodes: ["canvas"], title: "Mine" })).toMatchObject({ ok: false });
});

it("runs up to a node by its name", async () => {
  const calls = await named();
  await edit(calls, { op: "add", type: "SaveImage", as: "save", inputs: { images: "canvas" } });
  expect(await calls.call(executeWorkflow, { until: "save" })).toMatchObject({ ok: true });
});
