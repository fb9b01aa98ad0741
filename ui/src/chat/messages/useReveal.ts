import { useAui, useAuiState } from "@assistant-ui/react";
import { useEffect, useRef, useState } from "react";
import { useKeyed, useStore } from "../../shared/store";
import { useChatEnvironment } from "../chatContext";
import { hasEarlierMessages } from "../threads/loadedThreads";
import { showFound } from "../threads/showFound";
import { useThreadId } from "../threads/useThreadId";
import { useTurnIsRunning } from "../turn/useTurn";

/** A message that a search has found by the words of `query`. */
export interface FoundMessage {
  threadId: string;
  messageId: string;
  query: string;
}

/** Why a message that was found cannot be shown. */
export type Unshown = "in another version" | "earlier";

/**
 * Brings a message that was searched for into view, once its thread is there; loads it where it is older than what is
 * shown. Returns why it cannot, until another one is chosen or another thread opened.
 */
export function useReveal(): Unshown | undefined {
  const aui = useAui();
  const { reveal, loadedThreads } = useChatEnvironment();
  const wanted = useStore(reveal);
  const threadId = useThreadId();
  const record = useKeyed(loadedThreads, threadId);
  const isRunning = useTurnIsRunning();
  // A chat that was begun on this page was never loaded.
  const isBegun = useAuiState(({ thread }) => !thread.isLoading && thread.messages.length > 0);
  const isRead = isBegun || record?.loadError !== undefined;
  const isThere = useAuiState(
    ({ thread }) => wanted !== undefined && thread.messages.some(({ id }) => id === wanted.messageId),
  );
  const [unshown, setUnshown] = useState<{ threadId: string; why: Unshown }>();
  const askedFor = useRef<FoundMessage>(undefined);
  useEffect(() => {
    if (!wanted || wanted.threadId !== threadId || !isThere) return;
    setUnshown(undefined);
    // The thread first scrolls to its end.
    const timer = setTimeout(() => {
      reveal.set(undefined);
      const selector = `.cass-root [data-message-id="${CSS.escape(wanted.messageId)}"]`;
      const message = document.querySelector(selector);
      if (message) showFound(message, wanted.query);
    }, 200);
    return () => clearTimeout(timer);
  }, [reveal, wanted, isThere, threadId]);
  useEffect(() => {
    if (!wanted || wanted.threadId !== threadId || isThere || !isRead) return;
    const isEarlier = hasEarlierMessages(record) && askedFor.current !== wanted;
    if (isEarlier && !isRunning) {
      askedFor.current = wanted;
      void aui.threads.reloadMainThread();
      return;
    }
    reveal.set(undefined);
    if (!record?.loadError) setUnshown({ threadId, why: isEarlier ? "earlier" : "in another version" });
  }, [aui, reveal, wanted, isThere, isRead, isRunning, record, threadId]);
  return unshown?.threadId === threadId ? unshown?.why : undefined;
}
