import type { UIMessage } from "ai";
import { wellFormed } from "../../shared/wellFormed";
import { withStops } from "../calls/endedByAssistantUi";
import { isBeyondBudget } from "./turnNotice";

export interface ChatRequest {
  id: string;
  messages: UIMessage[];
  trigger: "submit-message" | "regenerate-message";
  messageId?: string;
  /** The message before the new user message; null when it is the first. Absent when there is no new user message. */
  parentId?: string | null;
  /** The person lets the turn of the new message go on beyond budgets. */
  beyondBudget?: true;
  /** What is open, where the server is told. */
  workflow?: object;
}

/**
 * The body of one chat request.
 *
 * The server's log is the record, so only the newest messages travel: from the last assistant message on, because
 * tool results that settled just before a Stop may not have reached the server yet. `doneBy` tells what a call had done
 * when it was stopped.
 */
export function chatRequestBody(
  threadId: string,
  messages: readonly UIMessage[],
  trigger: ChatRequest["trigger"],
  messageId: string | undefined,
  workflow?: object,
  doneBy?: (toolCallId: string) => readonly string[],
): ChatRequest {
  const last = messages.at(-1);
  const newest = messages.slice(
    Math.max(
      0,
      messages.findLastIndex(({ role }) => role === "assistant"),
    ),
  );
  return wellFormed({
    id: threadId,
    messages: newest.map((message) => withStops(message, doneBy)),
    trigger,
    ...(messageId !== undefined && { messageId }),
    ...(workflow && { workflow }),
    ...(last?.role === "user" && { parentId: messages.at(-2)?.id ?? null }),
    ...(isBeyondBudget(last?.metadata) && { beyondBudget: true }),
  });
}
