import { isToolUIPart, type UIMessage } from "ai";
import { hasPendingBrowserCall } from "./shouldResubmitAfterToolResult";

export type Retry =
  /** Send what was sent last, a message or the results of tools: nothing came after it. */
  | { kind: "send-again" }
  /** Ask for the whole answer again. */
  | { kind: "regenerate"; messageId: string }
  /** Ask the model to go on after what it has done. */
  | { kind: "continue" };

/**
 * What "Retry" does after a failed request.
 *
 * When browser tools have already changed the workflow in this turn, asking for the whole answer again would change
 * it a second time. The server takes the same results again as long as no text follows them.
 */
export function retryOf(messages: readonly UIMessage[]): Retry {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return { kind: "send-again" };
  const hasActed = last.parts.some(
    (part) => isToolUIPart(part) && !part.providerExecuted && part.state.startsWith("output-"),
  );
  if (!hasActed) return { kind: "regenerate", messageId: last.id };
  return awaitsModel(last) ? { kind: "send-again" } : { kind: "continue" };
}

/** Whether the newest step ended with the results of tools, or with a failure that the server knows of. */
function awaitsModel(message: UIMessage): boolean {
  if (hasPendingBrowserCall(message)) return false;
  const newest = message.parts.slice(message.parts.findLastIndex(({ type }) => type === "step-start") + 1);
  return newest.length === 0 || newest.some((part) => isToolUIPart(part) || part.type === "data-error");
}
