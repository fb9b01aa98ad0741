import { useEffect, useState } from "react";
import { useChatEnvironment } from "../chat/chatContext";
import { useThreadId } from "../chat/threads/useThreadId";
import { useStore } from "../shared/store";

/** After this, the thread to come back to is out of reach. */
const PATIENCE_MS = 3000;

/** Whether the thread of before the reload is still on its way; until then an empty chat would only flash. */
export function useRestoring(expected: boolean): boolean {
  const [restoring, setRestoring] = useState(expected);
  const hasFailed = useStore(useChatEnvironment().unopened) !== undefined;
  const isOver = useThreadId() !== undefined || hasFailed;
  useEffect(() => {
    if (!restoring) return;
    if (isOver) setRestoring(false);
    const timer = setTimeout(() => setRestoring(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [restoring, isOver]);
  return restoring;
}
