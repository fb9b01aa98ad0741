import { useAuiState } from "@assistant-ui/react";
import { useEffect, useState } from "react";
import { useKeyed } from "../../shared/store";
import { FreeMemory } from "../../ui/FreeMemory";
import { useChatEnvironment } from "../chatContext";
import { useThreadId } from "../threads/useThreadId";
import { isUntilNews, type TurnNotice } from "../turn/turnNotice";
import { useIsWaitingForPerson } from "../turn/useIsWaitingForPerson";

/** Seconds without anything new after which the person is told that nothing is lost. */
const LONG = 10;

/**
 * One line below an answer that is still being written: it says where another page runs the turn, and speaks up when nothing
 * has arrived for a while.
 */
export function Waiting() {
  const { notices, turns, freeRenders } = useChatEnvironment();
  const threadId = useThreadId();
  const isWaitingForPerson = useIsWaitingForPerson(threadId);
  const progress = useAuiState(({ message }) => {
    const last = message.parts.at(-1);
    return `${message.parts.length}:${last && "text" in last ? last.text.length : ""}:${last && "argsText" in last ? last.argsText.length : ""}`;
  });
  const toolRuns = useAuiState(({ message }) => {
    const last = message.parts.at(-1);
    return last?.type === "tool-call" && last.result === undefined;
  });
  const notice = useUntilNews(useKeyed(notices, threadId), progress);
  const seconds = useSecondsSince(progress);
  if (notice)
    return (
      <p className="cass-waiting">
        {notice.message}
        {notice.code === "renders-hold-memory" && <FreeMemory free={freeRenders} />}
      </p>
    );
  // The question says who has to do something; the line keeps its place for what comes after.
  if (isWaitingForPerson) return <p className="cass-waiting" />;
  if (seconds >= LONG && !toolRuns)
    return <p className="cass-waiting cass-shimmer">{`Still waiting for the model… ${seconds} s`}</p>;
  return (
    <p className="cass-waiting">
      <span className="cass-dots" role="status" aria-label="Answering">
        <i />
        <i />
        <i />
      </span>
      {threadId !== undefined && turns.isWatched(threadId) && (
        <span title="Its tools work on the workflow that is open there. Stop ends it from here, too.">
          Runs in another page
        </span>
      )}
    </p>
  );
}

/** A notice, until `progress` is another one than it was when the notice came, if that is the end of it. */
function useUntilNews(notice: TurnNotice | undefined, progress: string): TurnNotice | undefined {
  const [came, setCame] = useState({ notice, progress });
  if (came.notice !== notice) setCame({ notice, progress });
  const isOver =
    notice !== undefined && isUntilNews(notice) && came.notice === notice && came.progress !== progress;
  return isOver ? undefined : notice;
}

function useSecondsSince(change: string): number {
  const [seconds, setSeconds] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: counting starts over with each change
  useEffect(() => {
    setSeconds(0);
    const timer = setInterval(() => setSeconds((previous) => previous + 1), 1000);
    return () => clearInterval(timer);
  }, [change]);
  return seconds;
}
