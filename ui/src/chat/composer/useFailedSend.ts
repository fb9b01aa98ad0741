import { useAui } from "@assistant-ui/react";
import { useAISDKChat, useAISDKError } from "@assistant-ui/react-ai-sdk";
import type { UIMessage } from "ai";
import { useEffectEvent, useLayoutEffect } from "react";
import { type ErrorDetails, RequestError } from "../../api/errors";
import { useChatEnvironment } from "../chatContext";
import { backIntoComposer } from "./backIntoComposer";
import { UNSENT_THREAD } from "./drafts";

/** An error about a response that is read again. */
const GONE = "response_gone";
/** The server may say these of a message that it got in an earlier try. */
const MAY_BE_KEPT: ReadonlySet<string> = new Set(["turn_running", "already_answered"]);

/**
 * Takes a message back into the composer when its request failed before an answer began, since the server may not
 * have it: what was typed or attached is never lost, and never sent twice.
 */
export function useFailedSend(onFailure: (details: ErrorDetails) => void) {
  const aui = useAui();
  const { drafts, held, live, readThread } = useChatEnvironment();
  const chat = useAISDKChat();
  const error = useAISDKError();

  function takeBack(message: UIMessage, details: ErrorDetails) {
    const thread = aui.threadListItem.getState().remoteId;
    backIntoComposer(aui, message);
    drafts.write(thread ?? UNSENT_THREAD, aui.thread.composer().getState().text);
    held.becomesDraft(message.id, thread);
    chat?.setMessages((messages) => messages.filter(({ id }) => id !== message.id));
    chat?.clearError();
    onFailure(details);
  }

  async function showOrTakeBack(thread: string, message: UIMessage, details: ErrorDetails) {
    const kept = await readThread(thread).catch(() => undefined);
    if (!kept?.messages.some(({ id }) => id === message.id)) return takeBack(message, details);
    held.release(message.id);
    chat?.setMessages(kept.messages);
    chat?.clearError();
    if (kept.live) live.put(thread, { response: kept.live.response, isElsewhere: kept.live.readers > 0 });
  }

  const onError = useEffectEvent(({ details }: RequestError) => {
    const last = chat?.messages.at(-1);
    if (details.code === GONE || last?.role !== "user") return;
    const thread = aui.threadListItem.getState().remoteId;
    if (thread !== undefined && MAY_BE_KEPT.has(details.code)) void showOrTakeBack(thread, last, details);
    else takeBack(last, details);
  });
  useLayoutEffect(() => {
    if (error instanceof RequestError) onError(error);
  }, [error]);
}
