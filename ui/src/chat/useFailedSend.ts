import { type ThreadMessage, useAui } from "@assistant-ui/react";
import { useAISDKChat, useAISDKError } from "@assistant-ui/react-ai-sdk";
import type { UIMessage } from "ai";
import { useLayoutEffect } from "react";
import { type ErrorDetails, RequestError } from "../api/errors";
import { filesOfMessage } from "./attachedFile";
import { useChatEnvironment } from "./chatContext";

/**
 * Takes a message back into the composer when its request failed before an answer began, since the server may not
 * have it: what was typed or attached is never lost, and never sent twice.
 */
export function useFailedSend(onFailure: (details: ErrorDetails) => void) {
  const aui = useAui();
  const { drafts } = useChatEnvironment();
  const chat = useAISDKChat();
  const error = useAISDKError();
  useLayoutEffect(() => {
    if (!chat || !(error instanceof RequestError)) return;
    const last = chat.messages.at(-1);
    if (last?.role !== "user") return;
    const composer = aui.thread.composer();
    const typedSince = composer.getState().text;
    composer.setText([textOf(last.parts), typedSince].filter(Boolean).join("\n"));
    for (const file of filesOfMessage(last)) void composer.addAttachment(file).catch(() => {});
    drafts.takeBack(last.id);
    chat.setMessages(chat.messages.slice(0, -1));
    chat.clearError();
    onFailure(error.details);
  }, [aui, chat, drafts, error, onFailure]);
}

export function textOf(
  parts: readonly (UIMessage["parts"][number] | ThreadMessage["content"][number])[],
): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
