/** Tool calls that assistant-ui has ended itself. */

import type { UIMessage } from "ai";
import { few } from "../../shared/few";

/**
 * What it writes down as the result of such a call. It has no code for it: both are constants of the library, in
 * `toolResultStream` and `useAISDKRuntime`.
 */
const reasons: Record<string, string> = {
  "Tool execution was cancelled.": "stopped",
  "User cancelled tool call by sending a new message.": "not run",
};

export function endedByAssistantUi(error: string): { state: "skipped"; reason: string } | undefined {
  const reason = reasons[error];
  return reason === undefined ? undefined : { state: "skipped", reason };
}

const mostDone = 12;

function stopped(done: readonly string[]) {
  const what = done.length > 0 ? `: ${few(done, mostDone, "; ")}` : "";
  return {
    ok: false,
    code: "stopped",
    error: `The user stopped this call before it ended; what it had done by then stays${what}.`,
  };
}

/**
 * What such a call comes to for the server: its model has to know that the person stopped it. A stop that is noted too
 * late looks like a call that never ran, so either is told as one that may have done something.
 */
export function withStops(
  message: UIMessage,
  doneBy: (toolCallId: string) => readonly string[] = () => [],
): UIMessage {
  const parts = message.parts.map((part) =>
    "errorText" in part && endedByAssistantUi(part.errorText ?? "")
      ? { ...part, state: "output-available", errorText: undefined, output: stopped(doneBy(part.toolCallId)) }
      : part,
  );
  return { ...message, parts: parts as UIMessage["parts"] };
}
