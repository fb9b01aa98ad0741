import { beforeEach, describe, expect, it } from "vitest";
import { editWorkflow } from "../editWorkflow";
import { executeWorkflow } from "../executeWorkflow";
import { getWorkflowInfo } from "../getWorkflowInfo";
import { removeNode } from "../removeNode";
import { roomOf } from "../room";
import { setNodeWidgetValue } from "../setNodeWidgetValue";
import { type TestCalls, testCalls } from "../testing/testCall";
import { runTool, type Tool } from "../tool";
import { otherWorkflow } from "./sight";
import { openWorkflow } from "./sources";

const width = { node: "1", widget: "width", value: 8 };
const batch = { operations: [{ op: "set", nodes: ["1"], widgets: { width: 8 } }] };
const refused = {
  ok: false,
  code: "other-workflow",
  error: 'Now open: "Other"; you last read "Test". Nothing was done.',
  hint: "Call getWorkflowInfo, then go on in the one that the user means.",
};

let calls: TestCalls;
beforeEach(() => {
  calls = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
});

const open = (name: string) =>
  calls.comfy.openWorkflow({ key: `workflows/${name}.json`, name, isModified: false });

describe("with another workflow open than the model has read", () => {
  it.each<[string, Tool, unknown]>([
    ["a batch", editWorkflow, batch],
    ["a value", setNodeWidgetValue, width],
    ["a removal", removeNode, { node: "1" }],
    ["a run up to a node", executeWorkflow, { until: "1" }],
    ["a run with other values", executeWorkflow, { vary: [{ node: "1", widget: "width", values: [8, 16] }] }],
  ])("%s is refused", async (_, tool, args) => {
    await calls.call(getWorkflowInfo);
    const before = calls.lines();
    open("Other");
    expect(await calls.call(tool, args)).toEqual(refused);
    expect(await calls.call(tool, args)).toEqual(refused);
    expect(calls.lines()).toEqual(before);
  });

  it("is refused after an edit as after a reading, and no more once it was read", async () => {
    expect(await calls.call(setNodeWidgetValue, width)).toMatchObject({ ok: true });
    open("Other");
    expect(await calls.call(setNodeWidgetValue, width)).toEqual(refused);
    await calls.call(getWorkflowInfo);
    expect(await calls.call(setNodeWidgetValue, width)).toMatchObject({
      ok: true,
      data: { workflow: "Other" },
    });
    open("Test");
    expect(await calls.call(setNodeWidgetValue, width)).toMatchObject({ code: "other-workflow" });
  });

  it("is refused after the page was loaded anew, by the name in the results", async () => {
    open("Other");
    const context = {
      signal: new AbortController().signal,
      onProgress: () => {},
      confirm: async () => true,
      room: roomOf(),
      lastRead: "Test",
    };
    expect(await runTool(setNodeWidgetValue, width, calls.comfy, context)).toEqual({
      ...refused,
      outside: [openWorkflow],
    });
    await runTool(getWorkflowInfo, {}, calls.comfy, context);
    expect(await runTool(setNodeWidgetValue, width, calls.comfy, context)).toMatchObject({ ok: true });
  });
});

it("keeps the conversations apart", async () => {
  await calls.call(getWorkflowInfo);
  open("Other");
  expect(otherWorkflow(calls.comfy, {})).toBe("Test");
  expect(otherWorkflow(calls.comfy, { thread: "another" })).toBeUndefined();
  expect(otherWorkflow(calls.comfy, { thread: "another", lastRead: "Other" })).toBeUndefined();
});
