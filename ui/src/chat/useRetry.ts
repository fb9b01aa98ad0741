import { useAISDKChat } from "@assistant-ui/react-ai-sdk";
import { retryOf } from "./retry";

/** Tries a failed turn again; undefined while there is nothing to try. */
export function useRetry(): (() => void) | undefined {
  const chat = useAISDKChat();
  if (!chat || chat.status === "streaming" || chat.status === "submitted") return undefined;
  return () => {
    const retry = retryOf(chat.messages);
    chat.clearError();
    if (retry.kind === "regenerate") {
      void chat.regenerate();
      return;
    }
    chat.setMessages(retry.messages);
    void chat.sendMessage();
  };
}
