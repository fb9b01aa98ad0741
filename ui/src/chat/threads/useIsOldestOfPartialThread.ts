import { useAuiState } from "@assistant-ui/react";
import { useKeyed } from "../../shared/store";
import { useChatEnvironment } from "../chatContext";
import { hasEarlierMessages } from "./loadedThreads";
import { useThreadId } from "./useThreadId";

/**
 * Whether this message follows others that were not loaded. What precedes it is unknown, so it cannot be edited: the
 * server would be told that nothing does.
 */
export function useIsOldestOfPartialThread(): boolean {
  const { loadedThreads } = useChatEnvironment();
  const threadId = useThreadId();
  const first = useAuiState(({ message }) => message.index === 0);
  const record = useKeyed(loadedThreads, threadId);
  return first && hasEarlierMessages(record);
}
