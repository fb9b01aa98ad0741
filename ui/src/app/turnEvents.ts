import type { UIMessage } from "ai";
import { lastRead } from "../chat/threads/lastRead";
import { browserCalls } from "../chat/turn/shouldResubmitAfterToolResult";
import type { Turns } from "../chat/turn/turns";

/** How a response ended. */
export interface Finish {
  isAbort: boolean;
  isError: boolean;
  finishReason?: string | undefined;
}

interface ToolCall {
  toolCallId: string;
  providerMetadata?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What the SDK's chat of one thread tells of the thread's turn, and asks about it. */
export function turnEvents(turns: Turns, currentThreadId: () => string | undefined) {
  return {
    sendAutomaticallyWhen: ({ messages }: { messages: UIMessage[] }) =>
      turns.takeResults(currentThreadId(), messages),
    onToolCall: ({ toolCall: { toolCallId, providerMetadata } }: { toolCall: ToolCall }) => {
      const { room, outside } = providerMetadata?.comfyuiAssistant ?? {};
      turns.call(currentThreadId(), toolCallId, {
        ...(typeof room === "number" && { room }),
        ...(Array.isArray(outside) && { outside: outside.map(String) }),
      });
    },
    onFinish: ({ isAbort, isError, finishReason }: Finish) =>
      turns.end(currentThreadId(), { isFinal: isAbort || isError || finishReason === "interrupted" }),
  };
}

/** A response is about to be read that answers these messages. */
export function rejoinResponse(
  turns: Turns,
  thread: string,
  messages: readonly UIMessage[],
  workflow: string,
  isElsewhere: boolean,
) {
  const asked = messages.findLast(({ role }) => role === "user");
  turns.rejoin(thread, asked?.id ?? "", workflow, isElsewhere, lastRead(messages));
}

/** Another process of ComfyUI writes the answer, and has saved this of it by now. Its calls are not this page's. */
export function followElsewhere(turns: Turns, thread: string, messages: readonly UIMessage[]) {
  if (!turns.phases.get().has(thread)) rejoinResponse(turns, thread, messages, "", true);
  const last = messages.at(-1);
  for (const { toolCallId, state } of last ? browserCalls(last) : [])
    if (state === "input-available" && !turns.isNew(toolCallId)) turns.call(thread, toolCallId);
}

/** The server is about to be asked for what follows these messages. */
export function beginRequest(turns: Turns, thread: string, messages: readonly UIMessage[], workflow: string) {
  const last = messages.at(-1);
  if (last?.role === "user") turns.begin(thread, last.id, workflow, lastRead(messages));
  else turns.resume(thread);
}
