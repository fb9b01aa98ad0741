import { type AssistantRuntime, useAui } from "@assistant-ui/react";
import { AssistantChatTransport, useChatRuntime } from "@assistant-ui/react-ai-sdk";
import type { UIMessage } from "ai";
import { useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { RequestError } from "../api/errors";
import type { LoadedThreads } from "../chat/loadedThreads";
import { chatRequestBody } from "../chat/requestBody";
import { createThreadHistory } from "../chat/threadHistory";
import { type TurnNotice, turnNotice } from "../chat/turnNotice";
import type { Turns } from "../chat/turns";
import type { LazyPart } from "../shared/lazyPart";
import type { KeyedStore } from "../shared/store";
import { createAttachments } from "./attachments";
import type { PageAccess } from "./pageAccess";
import type { ThreadContexts } from "./threadContexts";

/** How often a streaming answer is drawn, in milliseconds. */
const THROTTLE = 100;

export interface ThreadServices {
  api: AssistantApi;
  pageAccess: LazyPart<PageAccess>;
  turns: Turns;
  loadedThreads: LoadedThreads;
  notices: KeyedStore<TurnNotice>;
  contexts: ThreadContexts;
}

interface Finish {
  isAbort: boolean;
  isError: boolean;
  finishReason?: string | undefined;
}

/** The hook that assistant-ui runs once per open thread: its requests, its tool loop, its history. */
export function createThreadRuntimeHook(services: ThreadServices): () => AssistantRuntime {
  return function useThreadRuntime() {
    const aui = useAui();
    const [options] = useState(() => threadOptions(services, () => aui.threadListItem.getState().remoteId));
    return useChatRuntime(options);
  };
}

function threadOptions(
  { api, pageAccess, turns, loadedThreads, notices, contexts }: ThreadServices,
  currentThreadId: () => string | undefined,
) {
  return {
    transport: new AssistantChatTransport({
      api: "/chat",
      fetch: (_, init) => api.chat(init ?? {}),
      prepareSendMessagesRequest: async ({ id, messages, trigger, messageId }) => {
        const { comfy } = await arrived(pageAccess);
        const last = messages.at(-1);
        if (last?.role === "user") turns.begin(id, last.id, comfy.workflow().key);
        else turns.resume(id);
        return { body: chatRequestBody(id, messages, trigger, messageId) };
      },
    }),
    sendAutomaticallyWhen: ({ messages }: { messages: UIMessage[] }) =>
      turns.takeResults(currentThreadId(), messages),
    onToolCall: ({ toolCall }: { toolCall: { toolCallId: string } }) =>
      turns.call(currentThreadId(), toolCall.toolCallId),
    onData: (part: { type: string; data: unknown }) => {
      const id = currentThreadId();
      if (id === undefined) return;
      notices.put(id, turnNotice(part));
      contexts.note(id, part);
    },
    onFinish: ({ isAbort, isError, finishReason }: Finish) => {
      const id = currentThreadId();
      turns.end(id, { isFinal: isAbort || isError || finishReason === "interrupted" });
      if (id !== undefined) notices.put(id, undefined);
    },
    throttle: THROTTLE,
    adapters: {
      history: createThreadHistory(api, loadedThreads, currentThreadId),
      attachments: createAttachments(async () => (await arrived(pageAccess)).comfy),
    },
  };
}

/** A model must not be asked for calls that nobody could run. */
async function arrived(pageAccess: LazyPart<PageAccess>): Promise<PageAccess> {
  try {
    return await pageAccess.arrival();
  } catch (error) {
    throw new RequestError(
      {
        code: "tools_not_loaded",
        message: `The assistant's tools could not be loaded (${error instanceof Error ? error.message : String(error)}).`,
        hint: "If the extension was just updated, reload the page; else send the message again.",
      },
      0,
    );
  }
}
