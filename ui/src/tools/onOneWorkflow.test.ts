import { expect, it } from "vitest";
import { editWorkflow } from "./editWorkflow";
import { executeWorkflow } from "./executeWorkflow";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { type TestCalls, testCalls } from "./testing/testCall";

const other = { key: "workflows/Other.json", name: "Other", isModified: false };

/** While they are asked, the person opens a workflow that the model has read, too. */
async function askedOnAnother(): Promise<TestCalls> {
  const calls = testCalls(["EmptyImage", "SaveImage", "EmptyImage", "EmptyImage"], ["1.IMAGE>2.images"]);
  const first = calls.comfy.workflow();
  calls.comfy.openWorkflow(other);
  await calls.call(getWorkflowInfo);
  calls.comfy.openWorkflow(first);
  await calls.call(getWorkflowInfo);
  calls.answer = () => {
    calls.comfy.openWorkflow(other);
    return true;
  };
  return calls;
}

it.each([
  ["an edit", editWorkflow, { operations: [{ op: "remove", nodes: ["1", "2", "3", "4"] }] }],
  ["a run", executeWorkflow, {}],
])("a yes to %s does nothing in a workflow that was opened meanwhile", async (_, tool, args) => {
  const calls = await askedOnAnother();
  expect(await calls.call(tool, args)).toMatchObject({
    ok: false,
    code: "other-workflow",
    error: 'The user opened "Other" while they were asked about "Test"; nothing was done.',
  });
  expect(calls.asked).toHaveLength(1);
  expect(calls.comfy.graph().nodes).toHaveLength(4);
  expect(calls.comfy.queue.runs).toEqual([]);
});

it("the result of a run names the workflow that ran, wherever the person went meanwhile", async () => {
  const calls = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
  const submit = calls.comfy.queue.submit;
  calls.comfy.queue.submit = (...given) => {
    calls.comfy.openWorkflow(other);
    return submit(...given);
  };
  expect(await calls.call(executeWorkflow)).toMatchObject({ ok: true, data: { workflow: "Test" } });
});
