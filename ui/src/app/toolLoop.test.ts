import { Chat } from "@ai-sdk/react";
import type { ChatTransport, UIMessage, UIMessageChunk } from "ai";
import { describe, expect, it } from "vitest";
import { retryOf } from "../chat/turn/retry";
import { createTurns } from "../chat/turn/turns";
import { beginRequest, turnEvents } from "./turnEvents";

type Reply = UIMessageChunk[];

const step = (...chunks: Reply): Reply => [{ type: "start-step" }, ...chunks, { type: "finish-step" }];
const call = (id: string): UIMessageChunk => ({
  type: "tool-input-available",
  toolCallId: id,
  toolName: "addNode",
  input: {},
});
const text: Reply = [
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Done." },
  { type: "text-end", id: "t" },
];

/**
 * The SDK's own chat against replies that are given in order; the last one is given again and again. `phases` are those
 * through which the thread has gone.
 */
function conversation(...replies: (Reply | Error)[]) {
  let requests = 0;
  const turns = createTurns();
  const phases: string[] = [];
  turns.phases.subscribe(() => phases.push(turns.phases.get().get("thread") ?? "rests"));
  const transport: ChatTransport<UIMessage> = {
    async sendMessages({ messages, abortSignal }) {
      beginRequest(turns, "thread", messages, "open");
      const reply = replies[Math.min(requests++, replies.length - 1)] ?? [];
      if (reply instanceof Error) throw reply;
      return new ReadableStream({
        start(controller) {
          for (const chunk of [
            { type: "start", messageId: "a1" } as const,
            ...reply,
            { type: "finish" } as const,
          ])
            controller.enqueue(chunk);
          if (reply.length > 0) return controller.close();
          abortSignal?.addEventListener("abort", () => controller.error(abortSignal.reason));
        },
      });
    },
    reconnectToStream: async () => null,
  };
  const chat = new Chat<UIMessage>({ transport, ...turnEvents(turns, () => "thread") });
  const settle = async (toolCallId: string) => {
    await chat.addToolOutput({ tool: "addNode", toolCallId, output: { ok: true } });
    while (chat.status === "submitted" || chat.status === "streaming")
      await new Promise((resolve) => setTimeout(resolve));
  };
  return { chat, turns, phases, settle, requests: () => requests };
}

describe("the tool loop", () => {
  it("makes exactly one request per step", async () => {
    const { chat, phases, settle, requests } = conversation(step(call("1")), step(call("2")), step(...text));
    await chat.sendMessage({ text: "go" });
    await settle("1");
    await settle("2");
    expect(requests()).toBe(3);
    expect(phases).toEqual(["answering", "acting", "answering", "acting", "answering", "rests"]);
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("waits for every call of a step", async () => {
    const { chat, settle, requests } = conversation(step(call("1"), call("2")), step(...text));
    await chat.sendMessage({ text: "go" });
    await settle("1");
    expect(requests()).toBe(1);
    await settle("2");
    expect(requests()).toBe(2);
  });

  it("goes on in the same answer, and without a word, when a request that failed is sent again", async () => {
    const { chat, phases, settle, requests } = conversation(
      step(call("1")),
      new TypeError("Failed to fetch"),
      step(...text),
    );
    await chat.sendMessage({ text: "go" });
    await settle("1");
    expect([requests(), chat.status, retryOf(chat.messages)]).toEqual([2, "error", { kind: "send-again" }]);
    expect(phases.at(-1)).toBe("rests");
    chat.clearError();
    await chat.sendMessage();
    expect(requests()).toBe(3);
    expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(chat.messages.at(-1)?.parts.filter(({ type }) => type === "text")).toMatchObject([
      { text: "Done." },
    ]);
  });

  it("does not run for ever when the server forgets to open a step", async () => {
    const { chat, turns, settle, requests } = conversation(step(call("1")), text);
    await chat.sendMessage({ text: "go" });
    await settle("1");
    expect(requests()).toBe(2);
    expect(turns.phases.get().size).toBe(0);
  });

  it("rests after a Stop in the middle of an answer", async () => {
    const { chat, turns, phases } = conversation([]);
    const sent = chat.sendMessage({ text: "go" });
    while (turns.phases.get().size === 0) await new Promise((resolve) => setTimeout(resolve));
    await chat.stop();
    await sent;
    expect(phases).toEqual(["answering", "rests"]);
  });

  it("makes no further request for a call that settles after a Stop", async () => {
    const { chat, turns, settle, requests } = conversation(step(call("1")), step(...text));
    await chat.sendMessage({ text: "go" });
    turns.stop("thread", chat.messages.at(-1));
    await settle("1");
    expect(requests()).toBe(1);
  });
});
