import { isToolUIPart, type UIMessage } from "ai";

export type Retry =
  /** Send the last message again: it was never answered. */
  | { kind: "send-again" }
  /** Ask for the whole answer again. */
  | { kind: "regenerate"; messageId: string }
  /** Ask the model to go on after what it has done. */
  | { kind: "continue" };

/**
 * What "Retry" does after a failed request.
 *
 * When browser tools have already changed the workflow in this turn, asking for the whole answer again would change
 * it a second time.
 */
export function retryOf(messages: readonly UIMessage[]): Retry {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return { kind: "send-again" };
  const hasActed = last.parts.some(
    (part) => isToolUIPart(part) && !part.providerExecuted && part.state.startsWith("output-"),
  );
  return hasActed ? { kind: "continue" } : { kind: "regenerate", messageId: last.id };
}
