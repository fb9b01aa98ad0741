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

it("never repeats edits that were made, and goes on after them", () => {
  expect(retryOf([user, answer(step, edit, step, text)])).toEqual({ kind: "continue" });
});
