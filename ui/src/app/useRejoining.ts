import { useAuiState } from "@assistant-ui/react";
import { useAISDKChat } from "@assistant-ui/react-ai-sdk";
import { useEffect, useEffectEvent, useRef } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { useChatEnvironment } from "../chat/chatContext";
import { FIRST_TAIL } from "../chat/loadedThreads";
import { useThreadId } from "../chat/useThreadId";
import { useStopHere } from "../chat/useTurn";
import type { ThreadNews } from "../shared/otherPages";
import { useKeyed } from "../shared/store";

const LOOK_MS = 100;
const MOST_LOOKS = 50;

/** Reads the response that runs in the open thread: one of before a reload, or of another page. */
export function useRejoining(api: AssistantApi): void {
  const threadId = useThreadId();
  const chat = useAISDKChat();
  const { turns, loadedThreads, live, otherPages, turnOwner } = useChatEnvironment();
  const stop = useStopHere();
  const isLoading = useAuiState(({ thread }) => thread.isLoading);
  const running = useKeyed(live, threadId);
  const joined = useRef<string>(undefined);

  const join = useEffectEvent((response: string) => {
    if (joined.current === response) return;
    joined.current = response;
    void chat?.sendMessage();
  });
  useEffect(() => {
    if (running && !isLoading) join(running.response);
  }, [running, isLoading]);

  const isReading = useEffectEvent(() => chat?.status === "streaming" || chat?.status === "submitted");
  const reread = useEffectEvent(async (thread: string) => {
    const { messages, live: begun } = await api.thread(
      thread,
      loadedThreads.get().get(thread)?.tail ?? FIRST_TAIL,
    );
    chat?.setMessages(messages);
    if (begun) live.put(thread, { response: begun.response, isElsewhere: true });
  });
  const hear = useEffectEvent(async ({ thread, what }: ThreadNews) => {
    if (thread !== threadId) return;
    if (what === "stop") return stop();
    // What was before it may still be on its way.
    for (let look = 0; look < MOST_LOOKS && isReading(); look++)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (what === "over") turns.end(thread, { isFinal: true });
    await reread(thread).catch(() => {});
  });
  useEffect(() => otherPages.hear((news) => "thread" in news && void hear(news)), [otherPages]);

  const phase = useKeyed(turns.phases, threadId);
  useEffect(() => {
    const isWatching = threadId !== undefined && phase && turns.isWatched(threadId);
    return isWatching ? turnOwner.succeed(threadId) : undefined;
  }, [threadId, phase, turns, turnOwner]);
}
