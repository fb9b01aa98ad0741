import type { UIMessage } from "ai";
import { expect, it } from "vitest";
import { retryOf } from "./retry";

const user: UIMessage = { id: "u1", role: "user", parts: [{ type: "text", text: "go" }] };
const step = { type: "step-start" } as const;
const text = { type: "text", text: "half an ans" } as const;
const edit = {
  type: "tool-addNode",
  toolCallId: "1",
  state: "output-available",
  input: {},
  output: { ok: true },
} as const;
const lookup = { ...edit, type: "tool-getNodeInfo", toolCallId: "2", providerExecuted: true } as const;
const answer = (...parts: UIMessage["parts"]): UIMessage => ({ id: "a1", role: "assistant", parts });

it("sends a message again that was never answered", () => {
  expect(retryOf([user])).toEqual({ kind: "send-again" });
});

it("asks for the whole answer again when nothing was changed", () => {
  expect(retryOf([user, answer(step, lookup, step, text)])).toEqual({ kind: "regenerate", messageId: "a1" });
});

const failure = { type: "data-error", data: { code: "provider_unreachable", message: "" } } as const;
const pending = { type: "tool-addNode", toolCallId: "3", state: "input-available", input: {} } as const;

it.each<[string, UIMessage["parts"]]>([
  ["whose results never arrived", [step, edit]],
  ["after which the model was out of reach", [step, edit, step, failure]],
  ["after which nothing came", [step, edit, step]],
])("sends the results of edits %s again, without a word", (_, parts) => {
  expect(retryOf([user, answer(...parts)])).toEqual({ kind: "send-again" });
});

it.each<[string, UIMessage["parts"]]>([
  ["after which an answer had begun", [step, edit, step, text]],
  ["beside a call that was never run", [step, edit, pending]],
])("never repeats edits %s, and asks to go on", (_, parts) => {
  expect(retryOf([user, answer(...parts)])).toEqual({ kind: "continue" });
});
