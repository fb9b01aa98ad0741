import type { Toolkit } from "@assistant-ui/react";
import type { UIMessage } from "ai";
import { expect, it } from "vitest";
import { type CallOutput, makeLeftCalls } from "./leftCalls";

const signal = new AbortController().signal;
const tools = {
  addNode: {
    execute: async (args: unknown, { toolCallId }: { toolCallId: string }) => ({ args, toolCallId }),
  },
} as unknown as Toolkit;

const call = (id: string, state: string, more: object = {}) => ({
  type: "tool-addNode",
  toolCallId: id,
  state,
  input: { type: id },
  ...more,
});
const said = (role: string, ...parts: object[]) => ({ id: role, role, parts }) as unknown as UIMessage;

async function made(...messages: UIMessage[]): Promise<CallOutput[]> {
  const outputs: CallOutput[] = [];
  makeLeftCalls(tools, messages, signal, (output) => outputs.push(output));
  await new Promise((resolve) => setTimeout(resolve));
  return outputs;
}

it("makes the open calls of the last answer, each with its arguments", async () => {
  const answer = said(
    "assistant",
    call("done", "output-available"),
    call("open", "input-available"),
    call("being written", "input-streaming"),
    call("the server's", "input-available", { providerExecuted: true }),
    { ...call("unknown", "input-available"), type: "tool-gone" },
  );
  expect(await made(answer)).toEqual([
    { tool: "addNode", toolCallId: "open", output: { args: { type: "open" }, toolCallId: "open" } },
  ]);
});

it("makes none where the person has written since, or nothing was said", async () => {
  const answer = said("assistant", call("open", "input-available"));
  expect(await made(answer, said("user", { type: "text", text: "go on" }))).toEqual([]);
  expect(await made()).toEqual([]);
});
