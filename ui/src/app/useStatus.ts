import { useCallback, useEffect, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import type { ModelStatus, StatusNote } from "../api/replies";

export type StatusState =
  | { kind: "loading" }
  | { kind: "ready"; model: ModelStatus; note: StatusNote | undefined; firstRun: boolean }
  | { kind: "failed"; details: ErrorDetails };

/**
 * Whether the server part works and which model it talks to; asked again each time `occasion` changes, of the open `thread`. `hasWorked`
 * stays true once it did: a conversation must not vanish because ComfyUI is restarted.
 */
export function useStatus(api: AssistantApi, panel: string, occasion: number, thread: string | undefined) {
  const [status, setStatus] = useState<StatusState>({ kind: "loading" });
  const [hasWorked, setHasWorked] = useState(false);
  const refresh = useCallback(async () => {
    try {
      const reply = await api.status(panel, thread);
      if (reply.ok) setHasWorked(true);
      setStatus(
        reply.ok
          ? {
              kind: "ready",
              model: reply.model,
              note: reply.update ?? reply.exposure,
              firstRun: reply.firstRun === true,
            }
          : { kind: "failed", details: reply.error },
      );
    } catch (error) {
      setStatus({ kind: "failed", details: detailsOf(error) });
    }
  }, [api, panel, thread]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the occasion is the reason to ask again
  useEffect(() => void refresh(), [refresh, occasion]);
  return { status, hasWorked, refresh };
}
