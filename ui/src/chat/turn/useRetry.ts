import { useAui } from "@assistant-ui/react";
import { useAISDKChat } from "@assistant-ui/react-ai-sdk";
import { retryOf } from "./retry";
import { CONTINUE } from "./turnNotice";
import { useTurnIsRunning } from "./useTurn";

/** Tries a failed turn again; undefined while there is nothing to try. */
export function useRetry(): (() => void) | undefined {
  const aui = useAui();
  const chat = useAISDKChat();
  const running = useTurnIsRunning();
  if (!chat || running) return undefined;
  return () => {
    chat.clearError();
    const retry = retryOf(chat.messages);
    switch (retry.kind) {
      case "send-again":
        return void chat.sendMessage();
      case "regenerate":
        return void chat.regenerate({ messageId: retry.messageId });
      case "continue":
        return aui.thread.append(CONTINUE);
    }
  };
}
