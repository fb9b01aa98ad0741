import { useAuiState } from "@assistant-ui/react";
import { useAISDKChat, useAISDKError } from "@assistant-ui/react-ai-sdk";
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { RequestError } from "../api/errors";
import type { TurnState } from "../api/replies";
import { useChatEnvironment } from "../chat/chatContext";
import { useThreadId } from "../chat/threads/useThreadId";
import type { TurnNotice } from "../chat/turn/turnNotice";
import { useStopHere } from "../chat/turn/useTurn";
import type { ThreadNews } from "../shared/otherPages";
import { useKeyed } from "../shared/store";
import { followElsewhere } from "./turnEvents";

const LOOK_MS = 100;
const MOST_LOOKS = 50;
/** Instead of the stream, which nobody here can read. */
const ELSEWHERE: TurnNotice = {
  code: "elsewhere",
  message: "Another ComfyUI at the same database answers in this chat. What it has saved is shown here.",
};
/** assistant-ui comes first where it makes the calls that a page has left. */
const SETTLE_MS = 300;

/** Reads the response that runs in the open thread: one of before a reload, or of another page. */
export function useRejoining(): void {
  const threadId = useThreadId();
  const chat = useAISDKChat();
  const { turns, readThread, stopped, live, notices, otherPages, turnOwner, loadedThreads, makeLeft } =
    useChatEnvironment();
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

  const record = useKeyed(loadedThreads, threadId);
  const settled = useRef(new Set<string>());
  /** Once for each thread that is read. */
  const makeLeftCalls = useEffectEvent((thread: string) => {
    if (!chat || settled.current.has(thread)) return;
    settled.current.add(thread);
    if (turns.phases.get().has(thread)) return;
    const stopping = new AbortController();
    const { messages } = chat;
    makeLeft(messages, stopping.signal, ({ tool, toolCallId, output }) =>
      chat.addToolOutput({ tool, toolCallId, output }),
    );
    let isMade = false;
    const unsubscribe = turns.phases.subscribe(() => {
      const isMaking = turns.phases.get().has(thread);
      if (isMade && !isMaking) {
        stopping.abort();
        unsubscribe();
      }
      isMade = isMaking;
    });
  });
  useEffect(() => {
    if (threadId === undefined || !record || running || isLoading) return;
    const timer = setTimeout(makeLeftCalls, SETTLE_MS, threadId);
    return () => clearTimeout(timer);
  }, [threadId, record, running, isLoading]);

  const runsHere = (thread: string) => turns.phases.get().has(thread) && !turns.isWatched(thread);
  const isReading = useEffectEvent(() => chat?.status === "streaming" || chat?.status === "submitted");
  const reread = useEffectEvent(async (thread: string, isElsewhere = false) => {
    // What was stopped here would still be told as running.
    await stopped(thread);
    const { messages, live: begun, elsewhere } = await readThread(thread);
    if (runsHere(thread)) return;
    if (elsewhere || isElsewhere) followElsewhere(turns, thread, messages);
    chat?.setMessages(messages);
    turns.readResults(messages);
    if (begun) live.put(thread, { response: begun.response, isElsewhere: true });
  });
  const error = useAISDKError();
  const isGone = error instanceof RequestError && error.details.code === "response_gone";
  const showWhatIsKept = useEffectEvent(() => {
    chat?.clearError();
    if (threadId !== undefined) void reread(threadId).catch(() => {});
  });
  useLayoutEffect(() => {
    if (isGone) showWhatIsKept();
  }, [isGone]);
  const follow = useEffectEvent(async ({ thread, what }: ThreadNews) => {
    // A turn that this page runs by now began later than what the news is about.
    if (thread !== threadId || runsHere(thread)) return;
    // What was before it may still be on its way.
    for (let look = 0; look < MOST_LOOKS && isReading(); look++)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    await reread(thread).catch(() => {});
    if (what === "over" && !runsHere(thread)) turns.end(thread, { isFinal: true });
  });
  const followed = useRef(Promise.resolve());
  const hear = useEffectEvent((news: ThreadNews) => {
    if (news.what !== "stop") followed.current = followed.current.then(() => follow(news));
    else if (news.thread === threadId && [undefined, chat?.messages.at(-1)?.id].includes(news.answer)) stop();
  });
  useEffect(() => otherPages.hear((news) => "thread" in news && hear(news)), [otherPages]);

  /** Of a turn that another browser runs, which tells nothing itself. */
  const onState = useEffectEvent(async (thread: string, state: TurnState) => {
    const { isOver, isMine, response, elsewhere } = state;
    if (elsewhere) {
      notices.put(thread, ELSEWHERE);
      return reread(thread, true).catch(() => {});
    }
    const isNews = isOver || isMine || (response !== null && response !== joined.current);
    if (!isNews || (!isOver && isReading())) return;
    followed.current = followed.current.then(() => follow({ thread, what: isOver ? "over" : "begun" }));
    await followed.current;
  });

  const phase = useKeyed(turns.phases, threadId);
  useEffect(() => {
    if (threadId === undefined || !phase || !turns.isWatched(threadId)) return;
    const stop = turnOwner.succeed(threadId, (state) => onState(threadId, state));
    return () => {
      stop();
      if (notices.get().get(threadId) === ELSEWHERE) notices.put(threadId, undefined);
    };
  }, [threadId, phase, turns, turnOwner, notices]);
}
