import { useAuiState } from "@assistant-ui/react";
import { useEffect } from "react";
import { useThreadId } from "../chat/threads/useThreadId";
import { ContextRing } from "../context/ContextRing";
import { useKeyed } from "../shared/store";
import type { ThreadContexts } from "./threadContexts";

/** How full the open thread's context is; nothing while that is not known. A turn tells it by itself, and while the first
 * one begins the server does not have the thread yet. */
export function OpenThreadRing({ contexts, onOpen }: { contexts: ThreadContexts; onOpen(): void }) {
  const threadId = useThreadId();
  const isAtRest = useAuiState(({ thread }) => thread.messages.length > 0 && !thread.isRunning);
  const report = useKeyed(contexts.reports, threadId);
  useEffect(() => {
    if (threadId !== undefined && isAtRest) void contexts.ask(threadId);
  }, [contexts, threadId, isAtRest]);
  return report ? <ContextRing report={report} onOpen={onOpen} /> : null;
}
