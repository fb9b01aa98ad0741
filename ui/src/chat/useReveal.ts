import { useAuiState } from "@assistant-ui/react";
import { useEffect } from "react";
import { useStore } from "../shared/store";
import { useChatEnvironment } from "./chatContext";
import { useThreadId } from "./useThreadId";

const SHOWN_MS = 2500;

/** Brings a message that was searched for into view, once its thread is there. */
export function useReveal() {
  const { reveal } = useChatEnvironment();
  const wanted = useStore(reveal);
  const threadId = useThreadId();
  const isLoaded = useAuiState(
    ({ thread }) => wanted !== undefined && thread.messages.some(({ id }) => id === wanted.messageId),
  );
  useEffect(() => {
    if (!wanted || !isLoaded || wanted.threadId !== threadId) return;
    // The thread first scrolls to its end.
    const timer = setTimeout(() => {
      reveal.set(undefined);
      const message = document.querySelector(
        `.cass-root [data-message-id="${CSS.escape(wanted.messageId)}"]`,
      );
      message?.scrollIntoView({ block: "center" });
      message?.classList.add("cass-revealed");
      setTimeout(() => message?.classList.remove("cass-revealed"), SHOWN_MS);
    }, 200);
    return () => clearTimeout(timer);
  }, [reveal, wanted, isLoaded, threadId]);
}
