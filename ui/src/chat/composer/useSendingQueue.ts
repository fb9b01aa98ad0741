import { type AssistantRuntime, type ThreadMessage, useAuiState } from "@assistant-ui/react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { type KeyedStore, useKeyed } from "../../shared/store";
import type { Live } from "../turn/live";
import { canContinue, notice } from "../turn/turnNotice";
import type { Turns } from "../turn/turns";
import type { Queue, QueuedMessage } from "./queue";

/** A turn rests for moments that are not its end, such as until a Stop has reached the server. */
const SETTLE_MS = 150;

/** Sends what waits in a thread, one message after the other, each when the turn before it has ended by itself. */
export function useSendingQueue(
  runtime: AssistantRuntime,
  { queue, turns, live }: { queue: Queue; turns: Turns; live: KeyedStore<Live> },
): void {
  const { thread } = runtime;
  const id = useAuiState(({ threadListItem }) => threadListItem.remoteId);
  const phase = useKeyed(turns.phases, id);
  const isAnswering = useSyncExternalStore(thread.subscribe, () => thread.getState().isRunning);
  const isLoading = useSyncExternalStore(thread.subscribe, () => thread.getState().isLoading);
  const isUnread = useKeyed(live, id) !== undefined;
  const isStopping = useKeyed(turns.stopping, id) !== undefined;
  const isResting = !isAnswering && !isLoading && !isUnread && !isStopping && phase === undefined;
  const first = useKeyed(queue.messages, id)?.[0];
  const hasRun = useRef(false);
  useEffect(() => {
    if (isAnswering || phase !== undefined) hasRun.current = true;
    if (!isResting || id === undefined) return;
    const timer = setTimeout(() => {
      const isTurnOver = hasRun.current && !turns.isWatched(id);
      hasRun.current = false;
      if (!first) return;
      const isNext = isTurnOver && !first.lost && !needsPerson(thread.getState().messages.at(-1));
      if (!isNext && !queue.isUrgent(id, first.id)) return;
      const taken = queue.take(id, first.id);
      if (taken) thread.append(asMessage(taken.message));
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [thread, queue, turns, id, isAnswering, phase, isResting, first]);
}

/** Whether a turn ended otherwise than with its answer: it was stopped, failed, or says that it could go on. */
function needsPerson(last: ThreadMessage | undefined): boolean {
  if (last?.role !== "assistant" || last.status.type === "incomplete") return true;
  const end = last.content.at(-1);
  if (end?.type !== "data") return false;
  if (end.name === "error") return true;
  const told = end.name === "notice" ? notice.safeParse(end.data).data : undefined;
  return told !== undefined && canContinue(told);
}

function asMessage({ text, files }: QueuedMessage) {
  return {
    content: text ? [{ type: "text" as const, text }] : [],
    attachments: files.map((file, index) => ({
      ...file,
      content: file.content ?? [],
      id: `${index} ${file.name}`,
      type: "file" as const,
      status: { type: "complete" as const },
    })),
  };
}
