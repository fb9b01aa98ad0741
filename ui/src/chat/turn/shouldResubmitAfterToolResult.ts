import { isToolUIPart, lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from "ai";

/** The server ends a turn long before; this only bounds what a broken server could make the panel do. */
const MAX_STEPS = 200;

export interface ResubmissionRecord {
  /** Calls that the user stopped; their late results must not continue the turn. */
  stoppedCalls: ReadonlySet<string>;
  /** How many tool results of a message were already sent, by message id. */
  sentResults: ReadonlyMap<string, number>;
}

/**
 * Whether the results of browser tools should go to the server now.
 *
 * The SDK's own predicate stays true after a step that the server forgot to open with `start-step`, and after a Stop;
 * it is therefore wrapped: each resubmission must carry at least one result that was not sent before.
 */
export function shouldResubmitAfterToolResult(
  messages: UIMessage[],
  { stoppedCalls, sentResults }: ResubmissionRecord,
): boolean {
  const last = messages.at(-1);
  if (last === undefined || !lastAssistantMessageIsCompleteWithToolCalls({ messages })) return false;
  if (browserCalls(last).some(({ toolCallId }) => stoppedCalls.has(toolCallId))) return false;
  if (last.parts.filter(({ type }) => type === "step-start").length >= MAX_STEPS) return false;
  return countBrowserResults(last) > (sentResults.get(last.id) ?? 0);
}

export function countBrowserResults(message: UIMessage): number {
  return browserCalls(message).filter(({ state }) => state === "output-available" || state === "output-error")
    .length;
}

export function hasPendingBrowserCall(message: UIMessage): boolean {
  return browserCalls(message).some(
    ({ state }) => state === "input-streaming" || state === "input-available",
  );
}

/** Calls that the panel runs, as opposed to those that the server ran while it answered. */
export function browserCalls(message: UIMessage) {
  if (message.role !== "assistant") return [];
  return message.parts.filter(isToolUIPart).filter(({ providerExecuted }) => !providerExecuted);
}
