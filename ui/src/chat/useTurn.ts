import { useAui, useAuiState } from "@assistant-ui/react";
import { useAISDKChat } from "@assistant-ui/react-ai-sdk";
import { useKeyed } from "../shared/store";
import { useChatEnvironment } from "./chatContext";
import { useThreadId } from "./useThreadId";

/** Whether the open thread's turn is going on, the moments between two of its steps included. */
export function useTurnIsRunning(): boolean {
  const { turns } = useChatEnvironment();
  const threadId = useThreadId();
  const answering = useAuiState(({ thread }) => thread.isRunning);
  const between = useKeyed(turns.betweenSteps, threadId);
  return answering || between === true;
}

/** Ends the open thread's turn at whatever point it is; nothing of it changes the workflow afterwards. */
export function useStopTurn(): () => void {
  const aui = useAui();
  const chat = useAISDKChat();
  const { turns } = useChatEnvironment();
  return () => {
    turns.stop(aui.threadListItem.getState().remoteId, chat?.messages.at(-1));
    aui.thread.cancelRun();
  };
}
