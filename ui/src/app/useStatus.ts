import { useCallback, useEffect, useRef, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import type { ModelStatus, StatusNote } from "../api/replies";
import { useOnReturn } from "../ui/useOnReturn";

export type StatusState =
  | { kind: "loading" }
  | { kind: "ready"; model: ModelStatus; notes: StatusNote[]; firstRun: boolean }
  | { kind: "failed"; details: ErrorDetails };

/**
 * Whether the server part works and which model answers in the open `thread`; asked again each time that or `occasion`
 * changes, or the person comes back to the page. `hasWorked` stays true once it did: a conversation must not vanish because ComfyUI is restarted.
 */
export function useStatus(api: AssistantApi, panel: string, occasion: number, thread: string | undefined) {
  const [status, setStatus] = useState<StatusState>({ kind: "loading" });
  const [hasWorked, setHasWorked] = useState(false);
  // Who asks again may have begun the thread only now.
  const latest = useRef(thread);
  latest.current = thread;
  const asked = useRef(0);
  const refresh = useCallback(async () => {
    asked.current += 1;
    const mine = asked.current;
    try {
      const reply = await api.status(panel, latest.current);
      if (mine !== asked.current) return;
      if (reply.ok) setHasWorked(true);
      setStatus(
        reply.ok
          ? {
              kind: "ready",
              model: reply.model,
              notes: [reply.store, reply.update, reply.exposure].filter((note) => note !== undefined),
              firstRun: reply.firstRun === true,
            }
          : { kind: "failed", details: reply.error },
      );
    } catch (error) {
      setStatus({ kind: "failed", details: detailsOf(error) });
    }
  }, [api, panel]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the occasion is the reason to ask again
  useEffect(() => void refresh(), [refresh, occasion, thread]);
  useOnReturn(refresh);
  return { status, hasWorked, refresh };
}
