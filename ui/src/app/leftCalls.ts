import type { Toolkit } from "@assistant-ui/react";
import { getToolName, isToolUIPart, type UIMessage } from "ai";
import { browserCalls } from "../chat/turn/shouldResubmitAfterToolResult";

export interface CallOutput {
  tool: string;
  toolCallId: string;
  output: unknown;
}

/**
 * Makes the calls of browser tools that an earlier page has left open in the last message, or tells their results where
 * that page has written them down. assistant-ui does so only where the messages come after the tools, and at once.
 */
export function makeLeftCalls(
  toolkit: Toolkit,
  messages: readonly UIMessage[],
  signal: AbortSignal,
  onOutput: (output: CallOutput) => void,
): void {
  const last = messages.at(-1);
  for (const part of last?.role === "assistant" ? browserCalls(last) : []) {
    if (!isToolUIPart(part) || part.state !== "input-available") continue;
    const { toolCallId, input } = part;
    const tool = getToolName(part);
    const execute = toolkit[tool]?.execute as
      | ((args: unknown, context: { toolCallId: string; abortSignal: AbortSignal }) => Promise<unknown>)
      | undefined;
    void execute?.(input, { toolCallId, abortSignal: signal }).then((output) =>
      onOutput({ tool, toolCallId, output }),
    );
  }
}
