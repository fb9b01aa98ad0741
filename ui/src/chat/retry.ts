import { isToolUIPart, type UIMessage } from "ai";

export type Retry =
  /** Ask for the whole answer again. */
  | { kind: "regenerate" }
  /** Send the last message again, as these messages show it. */
  | { kind: "resubmit"; messages: UIMessage[] };

/**
 * What "Retry" does after a failed request.
 *
 * When browser tools have already changed the workflow in this turn, asking for the whole answer again would change
 * it a second time; then only what came after their results is dropped and asked for again.
 */
export function retryOf(messages: UIMessage[]): Retry {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return { kind: "resubmit", messages };
  const lastResult = last.parts.findLastIndex(
    (part) => isToolUIPart(part) && !part.providerExecuted && part.state.startsWith("output-"),
  );
  if (lastResult < 0) return { kind: "regenerate" };
  const kept = { ...last, parts: last.parts.slice(0, lastResult + 1) };
  return { kind: "resubmit", messages: [...messages.slice(0, -1), kept] };
}
