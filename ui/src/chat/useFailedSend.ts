import { useAui } from "@assistant-ui/react";
import { useAISDKChat, useAISDKError } from "@assistant-ui/react-ai-sdk";
import { useLayoutEffect } from "react";
import { type ErrorDetails, RequestError } from "../api/errors";
import { backIntoComposer } from "./backIntoComposer";
import { useChatEnvironment } from "./chatContext";

/** Errors about a message that the server has. */
const IS_KEPT: ReadonlySet<string> = new Set(["response_gone", "already_answered"]);

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
    if (!chat || !(error instanceof RequestError) || IS_KEPT.has(error.details.code)) return;
    const last = chat.messages.at(-1);
    if (last?.role !== "user") return;
    backIntoComposer(aui, last);
    drafts.takeBack(last.id);
    chat.setMessages(chat.messages.slice(0, -1));
    chat.clearError();
    onFailure(error.details);
  }, [aui, chat, drafts, error, onFailure]);
}
