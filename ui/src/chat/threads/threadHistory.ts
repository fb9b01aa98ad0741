import type { MessageFormatItem, ThreadHistoryAdapter } from "@assistant-ui/react";
import type { UIMessage } from "ai";
import type { AssistantApi } from "../../api/assistantApi";
import { detailsOf } from "../../api/errors";
import type { FoundMessage } from "../messages/useReveal";
import type { Live } from "../turn/live";
import { hasPendingBrowserCall } from "../turn/shouldResubmitAfterToolResult";
import { FIRST_TAIL, type LoadedThreads } from "./loadedThreads";

/**
 * Loads the newest messages of a thread, and says whether a response runs in it, here or elsewhere, or another page makes a
 * call of its. It writes nothing: the server keeps each message when it is sent and each answer while it is written.
 */
export function createThreadHistory(
  api: AssistantApi,
  loadedThreads: LoadedThreads,
  /** One that was searched for, and has to be among those that are loaded. */
  found: () => FoundMessage | undefined,
  currentThreadId: () => string | undefined,
  onLive: (thread: string, live: Live) => void,
  onElsewhere: (thread: string, messages: readonly UIMessage[]) => void,
  takeBack: (thread: string) => Promise<boolean>,
  isOfAnotherPage: (thread: string) => Promise<boolean>,
): ThreadHistoryAdapter {
  async function load<Message>(): Promise<{ messages: MessageFormatItem<Message>[] }> {
    const id = currentThreadId();
    if (id === undefined) return { messages: [] };
    const tail = loadedThreads.get().get(id)?.tail ?? FIRST_TAIL;
    const wanted = found();
    const from = wanted?.threadId === id ? wanted.messageId : undefined;
    try {
      const { total, messages, damaged, live, elsewhere } = await api.thread(id, tail, from);
      const last = messages.at(-1);
      const waits = !live && !elsewhere && last && hasPendingBrowserCall(last);
      if (elsewhere || (waits && (await isOfAnotherPage(id)))) onElsewhere(id, messages);
      if (live) {
        const isElsewhere = live.readers > 0 && !(await takeBack(id));
        onLive(id, { response: live.response, isElsewhere });
      }
      loadedThreads.put(id, {
        tail: Math.max(tail, messages.length),
        total,
        loaded: messages.length,
        damaged: damaged.map(({ reason }) => reason),
      });
      return {
        messages: messages.map((message, index) => ({
          parentId: messages[index - 1]?.id ?? null,
          message: message as Message,
        })),
      };
    } catch (error) {
      loadedThreads.put(id, { tail, loadError: detailsOf(error) });
      return { messages: [] };
    }
  }
  return {
    load: async () => ({ messages: [] }),
    append: async () => {},
    withFormat: () => ({ load, append: async () => {} }),
  };
}
