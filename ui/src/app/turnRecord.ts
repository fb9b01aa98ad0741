import type { UIMessage } from "ai";
import { countBrowserResults, shouldResubmitAfterToolResult } from "../chat/shouldResubmitAfterToolResult";

/** What the panel remembers of the turns that it has run since the page was loaded. */
export interface TurnRecord {
  /** Ties a call to the workflow that was open when its turn began. */
  begin(toolCallId: string, workflow: string | undefined): void;
  workflowOf(toolCallId: string): string | undefined;
  markStopped(toolCallId: string): void;
  /** Whether to send the newest tool results now; saying yes counts as having sent them. */
  takeResults(messages: UIMessage[]): boolean;
}

export function createTurnRecord(): TurnRecord {
  const workflows = new Map<string, string>();
  const stoppedCalls = new Set<string>();
  const sentResults = new Map<string, number>();
  return {
    begin(toolCallId, workflow) {
      if (workflow !== undefined) workflows.set(toolCallId, workflow);
    },
    workflowOf: (toolCallId) => workflows.get(toolCallId),
    markStopped(toolCallId) {
      stoppedCalls.add(toolCallId);
    },
    takeResults(messages) {
      if (!shouldResubmitAfterToolResult(messages, { stoppedCalls, sentResults })) return false;
      const last = messages.at(-1);
      if (last) sentResults.set(last.id, countBrowserResults(last));
      return true;
    },
  };
}
