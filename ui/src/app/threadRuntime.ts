import { type AppendMessage, type AssistantRuntime, useAui } from "@assistant-ui/react";
import { AssistantChatTransport, useChatRuntime } from "@assistant-ui/react-ai-sdk";
import type { CreateUIMessage, UIMessage } from "ai";
import { useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { whileAway } from "../api/whileAway";
import type { HeldMessages } from "../chat/composer/heldMessages";
import type { Queue } from "../chat/composer/queue";
import { useSendingQueue } from "../chat/composer/useSendingQueue";
import { createdMessage } from "../chat/messages/createdMessage";
import type { FoundMessage } from "../chat/messages/useReveal";
import { lastRead } from "../chat/threads/lastRead";
import type { LoadedThreads } from "../chat/threads/loadedThreads";
import { createThreadHistory } from "../chat/threads/threadHistory";
import type { Live } from "../chat/turn/live";
import { chatRequestBody } from "../chat/turn/requestBody";
import { type DataPart, type TurnNotice, turnNotice } from "../chat/turn/turnNotice";
import type { Turns } from "../chat/turn/turns";
import type { OtherPages } from "../shared/otherPages";
import type { KeyedStore, Store } from "../shared/store";
import { createAttachments } from "./attachments";
import type { PageAccess } from "./pageAccess";
import type { ThreadContexts } from "./threadContexts";
import { beginRequest, type Finish, followElsewhere, rejoinResponse, turnEvents } from "./turnEvents";
import type { TurnOwner } from "./turnOwner";

/** How often a streaming answer is drawn, in milliseconds. */
const THROTTLE = 100;

export interface ThreadServices {
  api: AssistantApi;
  pageAccess: PageAccess;
  turns: Turns;
  loadedThreads: LoadedThreads;
  /** What a search has found and the person has chosen. */
  reveal: Store<FoundMessage | undefined>;
  notices: KeyedStore<TurnNotice>;
  contexts: ThreadContexts;
  /** Of threads, what is to be read instead of a new response being asked for. */
  live: KeyedStore<Live>;
  otherPages: OtherPages;
  turnOwner: TurnOwner;
  queue: Queue;
  held: HeldMessages;
  pageName: () => string | undefined;
  threadFiles: KeyedStore<string>;
}

/** The hook that assistant-ui runs once per open thread: its requests, its tool loop, its history. */
export function createThreadRuntimeHook(services: ThreadServices): () => AssistantRuntime {
  return function useThreadRuntime() {
    const aui = useAui();
    const [options] = useState(() => threadOptions(services, () => aui.threadListItem.getState().remoteId));
    const runtime = useChatRuntime(options);
    useSendingQueue(runtime, services);
    return runtime;
  };
}

function threadOptions(
  {
    api,
    pageAccess,
    turns,
    loadedThreads,
    reveal,
    notices,
    contexts,
    live,
    otherPages,
    turnOwner,
    held,
    threadFiles,
    pageName,
  }: ThreadServices,
  currentThreadId: () => string | undefined,
) {
  const { comfy, requestWorkflow, pageTypes, turnUndo } = pageAccess;
  const events = turnEvents(turns, currentThreadId);
  /** For what the newest request tells. */
  let onArrival = () => {};
  let goesOn = false;
  return {
    transport: new AssistantChatTransport({
      api: "/chat",
      fetch: async (_, init = {}) => {
        const thread = currentThreadId();
        const running = thread === undefined ? undefined : live.get().get(thread);
        if (thread !== undefined && running) {
          live.put(thread, undefined);
          return api.turns.resume(thread, running.response, init.signal);
        }
        const hasArrived = onArrival;
        const ask = () => api.turns.begin(init, thread);
        const response = await (goesOn ? whileAway(ask, init.signal) : ask());
        hasArrived();
        if (thread !== undefined) otherPages.tell({ thread, what: "begun" });
        return response;
      },
      prepareSendMessagesRequest: async ({ id, messages, trigger, messageId }) => {
        const running = live.get().get(id);
        if (running) {
          rejoinResponse(turns, id, messages, comfy.workflow().key, running.isElsewhere);
          return { body: {} };
        }
        beginRequest(turns, id, messages, comfy.workflow().key);
        const isNew = messages.at(-1)?.role === "user";
        goesOn = !isNew;
        const open = () => requestWorkflow({ thread: id, lastRead: lastRead(messages) }, messages);
        const workflow = await (isNew ? open() : whileAway(open));
        if (isNew && workflow?.file) threadFiles.put(id, workflow.file);
        const news = isNew ? turnUndo.newsOf(id) : undefined;
        onArrival = () => {
          news?.arrived();
          if (isNew) held.release(messages.at(-1)?.id ?? "");
        };
        const told = news ? { ...news.said, pageTypes: pageTypes() } : {};
        const page = pageName();
        const request = chatRequestBody(id, messages, trigger, messageId, workflow, turns.doneBy);
        return { body: { ...request, ...told, ...(page && { page }) } };
      },
    }),
    ...events,
    toCreateMessage<Message extends UIMessage>(written: AppendMessage) {
      const message = createdMessage(written);
      return { ...message, id: held.hold(currentThreadId(), message.parts) } as CreateUIMessage<Message>;
    },
    onData: (part: DataPart) => {
      const id = currentThreadId();
      if (id === undefined) return;
      notices.put(id, turnNotice(part));
      contexts.note(id, part);
    },
    onFinish: (finish: Finish) => {
      const id = currentThreadId();
      events.onFinish(finish);
      if (id === undefined) return;
      notices.put(id, undefined);
      if (!turns.isWatched(id) && !turns.phases.get().has(id)) otherPages.tell({ thread: id, what: "over" });
    },
    throttle: THROTTLE,
    adapters: {
      history: createThreadHistory(
        api,
        loadedThreads,
        reveal.get,
        currentThreadId,
        live.put,
        (thread, messages) => followElsewhere(turns, thread, messages),
        turnOwner.takeBack,
        turnOwner.isOfAnotherPage,
      ),
      attachments: createAttachments(comfy, api.textOfDocument),
    },
  };
}
