import { useEffect, useState } from "react";
import { useThreadId } from "../chat/useThreadId";

/** After this, the thread to come back to is gone or out of reach. */
const PATIENCE_MS = 3000;

/** Whether the thread of before the reload is still on its way; until then an empty chat would only flash. */
export function useRestoring(expected: boolean): boolean {
  const [restoring, setRestoring] = useState(expected);
  const arrived = useThreadId() !== undefined;
  useEffect(() => {
    if (!restoring) return;
    if (arrived) setRestoring(false);
    const timer = setTimeout(() => setRestoring(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [restoring, arrived]);
  return restoring;
}
