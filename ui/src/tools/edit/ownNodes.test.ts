import { expect, it } from "vitest";
import { addNode } from "../addNode";
import { applyWorkflow } from "../applyWorkflow";
import { editWorkflow } from "../editWorkflow";
import { removeNode } from "../removeNode";
import { testCalls } from "../testing/testCall";

it.each([
  ["a single removal", removeNode, { node: "1" }],
  ["a batch", editWorkflow, { operations: [{ op: "remove", nodes: ["1"] }] }],
])("%s asks for a node that the person has added", async (_, tool, args) => {
  const calls = testCalls(["EmptyImage"]);
  calls.isAllowed = false;
  expect(await calls.call(tool, args)).toMatchObject({ ok: false, code: "declined" });
  expect(calls.asked).toMatchObject([{ title: "Delete EmptyImage (1)?" }]);
  expect(calls.lines()).toEqual(["1 EmptyImage >IMAGE"]);
});

it("does not ask for nodes that the assistant has added or loaded", async () => {
  const calls = testCalls();
  await calls.call(addNode, { type: "EmptyImage" });
  await calls.call(removeNode, { node: "1" });
  await calls.call(applyWorkflow, { workflow: "5 EmptyImage\n6 SaveImage images<5" });
  await calls.call(removeNode, { node: "6" });
  expect(calls.asked).toEqual([]);
});
