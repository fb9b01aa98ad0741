import { useAuiState } from "@assistant-ui/react";
import { useEffect } from "react";
import { useThreadId } from "../chat/useThreadId";
import { ContextRing } from "../context/ContextRing";
import { useKeyed } from "../shared/store";
import type { ThreadContexts } from "./threadContexts";

/** How full the open thread's context is; nothing while that is not known. */
export function OpenThreadRing({ contexts, onOpen }: { contexts: ThreadContexts; onOpen(): void }) {
  const threadId = useThreadId();
  const hasMessages = useAuiState(({ thread }) => thread.messages.length > 0);
  const report = useKeyed(contexts.reports, threadId);
  useEffect(() => {
    if (threadId !== undefined && hasMessages) void contexts.ask(threadId);
  }, [contexts, threadId, hasMessages]);
  return report ? <ContextRing report={report} onOpen={onOpen} /> : null;
}
