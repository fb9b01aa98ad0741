import { useAui, useAuiState } from "@assistant-ui/react";
import { useAISDKChat } from "@assistant-ui/react-ai-sdk";
import { useKeyed } from "../shared/store";
import { useChatEnvironment } from "./chatContext";
import { useThreadId } from "./useThreadId";

/** Whether the open thread's turn is going on, the moments between two of its steps included. */
export function useTurnIsRunning(): boolean {
  return useTurnIsRunningIn(
    useThreadId(),
    useAuiState(({ thread }) => thread.isRunning),
  );
}

/** The same of any thread; `isRunning` is what assistant-ui says, which knows of a message before it is sent. */
export function useTurnIsRunningIn(threadId: string | undefined, isRunning: boolean): boolean {
  const { turns } = useChatEnvironment();
  const phase = useKeyed(turns.phases, threadId);
  return isRunning || phase !== undefined;
}

/** Ends the open thread's turn at whatever point it is; nothing of it changes the workflow afterwards. */
export function useStopTurn(): () => void {
  const stop = useStopHere();
  const thread = useThreadId();
  const { otherPages } = useChatEnvironment();
  return () => {
    stop();
    if (thread !== undefined) otherPages.tell({ thread, what: "stop" });
  };
}

/** What this page does of the turn. */
export function useStopHere(): () => void {
  const aui = useAui();
  const chat = useAISDKChat();
  const { turns } = useChatEnvironment();
  return () => {
    turns.stop(aui.threadListItem.getState().remoteId, chat?.messages.at(-1));
    aui.thread.cancelRun();
  };
}
