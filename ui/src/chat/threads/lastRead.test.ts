import type { UIMessage } from "ai";
import { expect, it } from "vitest";
import { lastRead } from "./lastRead";

const answer = (...outputs: unknown[]): UIMessage => ({
  id: "a",
  role: "assistant",
  parts: outputs.map((output, index) => ({
    type: "tool-getWorkflowInfo",
    toolCallId: String(index),
    state: "output-available",
    input: {},
    output,
  })),
});
const read = (workflow: unknown) => ({ ok: true, summary: "", data: { workflow } });
const ran = (workflow: string): UIMessage => {
  const { parts, ...message } = answer(read(workflow));
  return {
    ...message,
    parts: parts.map((part) => ({ ...part, type: "tool-executeWorkflow" }) as typeof part),
  };
};
const question: UIMessage = { id: "u", role: "user", parts: [{ type: "text", text: "Go on." }] };

it.each([
  ["nothing was read", [question, answer("text", null, { ok: true, data: null })], undefined],
  ["one was read", [question, answer(read("a")), question], "a"],
  ["two were read", [answer(read("a")), answer(read("b"), { ok: false, error: "No." }), question], "b"],
  ["another one was run", [answer(read("a")), ran("b")], "a"],
  ["one was run alone", [ran("b")], undefined],
  ["a result has something else of that name", [answer(read("a"), read({ nodes: [] }))], "a"],
])("where %s", (_, messages, name) => {
  expect(lastRead(messages)).toBe(name);
});
