import { useAuiState } from "@assistant-ui/react";
import { useEffect } from "react";
import { useChatEnvironment } from "../chatContext";
import { useTurnIsRunning } from "../turn/useTurn";
import { useThreadId } from "./useThreadId";

/** Keeps the open thread's branches known: asked for when it is opened, and after each turn. */
export function useBranchUpkeep() {
  const { branches } = useChatEnvironment();
  const threadId = useThreadId();
  const isAnswered = useAuiState(({ thread }) => thread.messages.some(({ role }) => role === "assistant"));
  const running = useTurnIsRunning();
  useEffect(() => {
    if (threadId !== undefined && isAnswered && !running) void branches.refresh(threadId);
  }, [branches, threadId, isAnswered, running]);
}
