import type { UIMessage } from "ai";
import { expect, it } from "vitest";
import type { AssistantApi } from "../api/assistantApi";
import { testCalls } from "../tools/testing/testCall";
import { createRequestWorkflow } from "./requestWorkflow";

const question: UIMessage = { id: "u1", role: "user", parts: [{ type: "text", text: "Hello" }] };
const answer = (slim?: boolean): UIMessage => ({
  id: "a1",
  role: "assistant",
  parts: [],
  ...(slim !== undefined && { metadata: { custom: { slim, model: "a-model" } } }),
});

/** What the server is told, and how often it was asked for the form of the model. */
async function tell(messages: UIMessage[], slim: boolean) {
  let asked = 0;
  const status = async () => {
    asked += 1;
    return { ok: true, model: { slim } };
  };
  const { comfy } = testCalls(["EmptyImage"]);
  const request = createRequestWorkflow(comfy, status as unknown as AssistantApi["status"]);
  const workflow = await request({ thread: "t" }, messages);
  return { asked, workflow: workflow && ("graph" in workflow ? "whole" : "named") };
}

it.each([
  ["a new message to a full model", [question], false, { asked: 1, workflow: "named" }],
  ["a new message to a small model", [question], true, { asked: 1, workflow: "whole" }],
  [
    "a new message after an answer",
    [question, answer(true), question],
    false,
    { asked: 1, workflow: "named" },
  ],
  ["results for a full model", [question, answer(false)], true, { asked: 0, workflow: undefined }],
  ["results for a small model", [question, answer(true)], false, { asked: 0, workflow: "whole" }],
  ["results after the page was loaded anew", [question, answer()], true, { asked: 1, workflow: "whole" }],
])("with %s", async (_, messages, slim, expected) => {
  expect(await tell(messages, slim)).toEqual(expected);
});
