import { useAui, useAuiState } from "@assistant-ui/react";
import { useAISDKChat } from "@assistant-ui/react-ai-sdk";
import type { UIMessage } from "ai";
import { useKeyed } from "../../shared/store";
import { useChatEnvironment } from "../chatContext";
import { backIntoComposer } from "../composer/backIntoComposer";
import { useThreadId } from "../threads/useThreadId";

const LOOK_MS = 50;

/** Whether the open thread's turn is going on, the moments between two of its steps included. */
export function useTurnIsRunning(): boolean {
  return useTurnIsRunningIn(
    useThreadId(),
    useAuiState(({ thread }) => thread.isRunning),
  );
}

/** The same of any thread; `isRunning` is what assistant-ui says, which knows of a message before it is sent. */
export function useTurnIsRunningIn(threadId: string | undefined, isRunning: boolean): boolean {
  const { turns } = useChatEnvironment();
  const phase = useKeyed(turns.phases, threadId);
  return isRunning || phase !== undefined;
}

/** Ends the open thread's turn at whatever point it is; nothing of it changes the workflow afterwards. */
export function useStopTurn(): () => void {
  const stop = useStopHere();
  const thread = useThreadId();
  const chat = useAISDKChat();
  const { otherPages, turns, stopElsewhere, readThread } = useChatEnvironment();

  /** Another process or page wrote the answer: how it ended is in the thread alone. */
  async function stopWatched(thread: string, answer: string | undefined) {
    await stopElsewhere(thread, answer);
    const { messages } = await readThread(thread);
    if (!turns.phases.get().has(thread)) chat?.setMessages(messages);
  }

  return () => {
    const last = chat?.messages.at(-1);
    const answer = last?.role === "assistant" ? last.id : undefined;
    const phase = thread !== undefined && turns.phases.get().get(thread);
    stop();
    if (thread === undefined) return;
    otherPages.tell({ thread, what: "stop" });
    if (phase && turns.isWatched(thread)) void stopWatched(thread, answer).catch(() => {});
    // While a page runs a tool no response is there whose reading could be given up.
    else if (phase === "acting") void stopElsewhere(thread, answer).catch(() => {});
  };
}

/** What this page does of the turn. */
export function useStopHere(): () => void {
  const aui = useAui();
  const chat = useAISDKChat();
  const { turns, readThread, stopped, held } = useChatEnvironment();

  /** No answer has begun here, while the server may have one: what it keeps is shown, before anything else is sent. */
  async function stopUnanswered(thread: string, question: UIMessage) {
    turns.stopping.put(thread, true);
    try {
      await chat?.stop();
      while (aui.thread.getState().isRunning) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      await stopped(thread);
      const { messages } = await readThread(thread);
      if (messages.some(({ id }) => id === question.id)) held.release(question.id);
      else {
        backIntoComposer(aui, question);
        held.becomesDraft(question.id, thread);
      }
      chat?.setMessages(messages);
    } catch {
    } finally {
      turns.stopping.put(thread, undefined);
    }
  }

  return () => {
    const thread = aui.threadListItem.getState().remoteId;
    const last = chat?.messages.at(-1);
    turns.stop(thread, last);
    // assistant-ui would take such a message out of the thread, in which the server has it.
    if (thread !== undefined && last?.role === "user") void stopUnanswered(thread, last);
    else aui.thread.cancelRun();
  };
}
