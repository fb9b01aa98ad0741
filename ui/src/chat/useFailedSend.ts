import { useAui } from "@assistant-ui/react";
import { useAISDKChat, useAISDKError } from "@assistant-ui/react-ai-sdk";
import type { UIMessage } from "ai";
import { useLayoutEffect } from "react";
import { type ErrorDetails, RequestError } from "../api/errors";

/**
 * Takes a message back into the composer when its request failed before an answer began, since the server may not
 * have it: what was typed is never lost, and never sent twice.
 */
export function useFailedSend(onFailure: (details: ErrorDetails) => void) {
  const aui = useAui();
  const chat = useAISDKChat();
  const error = useAISDKError();
  useLayoutEffect(() => {
    if (!chat || !(error instanceof RequestError)) return;
    const last = chat.messages.at(-1);
    if (last?.role !== "user") return;
    const typedSince = aui.thread.composer().getState().text;
    aui.thread.composer().setText([textOf(last), typedSince].filter(Boolean).join("\n"));
    chat.setMessages(chat.messages.slice(0, -1));
    chat.clearError();
    onFailure(error.details);
  }, [aui, chat, error, onFailure]);
}

function textOf(message: UIMessage): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
