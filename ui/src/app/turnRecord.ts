import type { UIMessage } from "ai";
import {
  browserCalls,
  countBrowserResults,
  hasPendingBrowserCall,
  shouldResubmitAfterToolResult,
} from "../chat/shouldResubmitAfterToolResult";
import { createKeyedStore, type KeyedStore } from "../shared/store";

/** What all calls of a turn have in common. */
export interface TurnOrigin {
  /** Another answer to the same message is another turn. */
  id: string;
  thread: string;
  /** The key of the workflow that was open when it was sent. */
  workflow: string;
}

/** What the panel remembers of the turns that it has run since the page was loaded. */
export interface TurnRecord {
  /**
   * Threads whose turn goes on although no answer streams: a browser tool is about to run, or its result about to be
   * sent.
   */
  betweenSteps: KeyedStore<true>;
  /** A person's message is about to be answered, maybe once more. */
  begin(thread: string, messageId: string, workflow: string): TurnOrigin;
  /** A browser tool is called as part of a turn. */
  called(threadId: string | undefined, toolCallId: string, origin: TurnOrigin | undefined): void;
  originOf(toolCallId: string): TurnOrigin | undefined;
  /** The turn in which these were called; undefined when that was before the page was loaded. */
  turnOf(toolCallIds: readonly string[]): string | undefined;
  /** A stopped call never continues its turn, however late it settles. */
  markStopped(toolCallId: string): void;
  /** The person stopped the turn to which this message belongs. */
  stop(threadId: string | undefined, last: UIMessage | undefined): void;
  /** A request of this thread begins, or its turn has ended. */
  settle(threadId: string | undefined): void;
  /** Whether to send the newest tool results now; saying yes counts as having sent them. */
  takeResults(threadId: string | undefined, messages: UIMessage[]): boolean;
}

export function createTurnRecord(): TurnRecord {
  const betweenSteps = createKeyedStore<true>();
  const origins = new Map<string, TurnOrigin>();
  const stoppedCalls = new Set<string>();
  let begun = 0;
  const sentResults = new Map<string, number>();

  function settle(threadId: string | undefined) {
    if (threadId !== undefined) betweenSteps.put(threadId, undefined);
  }

  return {
    betweenSteps,
    begin: (thread, messageId, workflow) => ({ id: `${messageId}#${++begun}`, thread, workflow }),
    called(threadId, toolCallId, origin) {
      if (origin !== undefined) origins.set(toolCallId, origin);
      if (threadId !== undefined) betweenSteps.put(threadId, true);
    },
    originOf: (toolCallId) => origins.get(toolCallId),
    turnOf: (toolCallIds) => toolCallIds.map((id) => origins.get(id)?.id).find((id) => id !== undefined),
    markStopped(toolCallId) {
      stoppedCalls.add(toolCallId);
    },
    stop(threadId, last) {
      for (const { toolCallId } of last ? browserCalls(last) : []) stoppedCalls.add(toolCallId);
      settle(threadId);
    },
    settle,
    takeResults(threadId, messages) {
      const last = messages.at(-1);
      if (last && shouldResubmitAfterToolResult(messages, { stoppedCalls, sentResults })) {
        sentResults.set(last.id, countBrowserResults(last));
        return true;
      }
      if (!last || !hasPendingBrowserCall(last)) settle(threadId);
      return false;
    },
  };
}
