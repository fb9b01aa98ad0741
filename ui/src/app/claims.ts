import { RequestError } from "../api/errors";
import type { MeantWorkflow, TurnState } from "../api/replies";

const PAUSE_MS = 1000;

/** What the server says of whose turn a thread's is: it is told of the pages of all browsers. */
export interface Claims {
  /** Takes the turn where the page is gone that makes its calls. Undefined where nothing is known. */
  claim(thread: string): Promise<TurnState | undefined>;
  /**
   * Whether this page is to make a call, which it does on `workflow`. Waits for the server as long as it is out of reach.
   */
  begin(thread: string, call: string, signal: AbortSignal, workflow?: MeantWorkflow): Promise<Claim>;
  /** With which note another page could go on with a call that this one makes. */
  tell(thread: string | undefined, call: string, note: unknown): void;
}

/**
 * `workflow` is the turn's, where the server knows it. `unsure` is why the server has not said whose the call is: then
 * another page may make it as well.
 */
export type Claim = Pick<TurnState, "isMine" | "workflow"> & { unsure?: string };

type Ask = (
  thread: string,
  claim: { page: string; call?: string; note?: unknown; workflow?: MeantWorkflow },
) => Promise<TurnState>;

const MINE: Claim = { isMine: true, workflow: undefined };

/** Where ComfyUI has given the page no id, it is the only one that is known. */
export function createClaims(ask: Ask, pageName: () => string | undefined, pause = PAUSE_MS): Claims {
  return {
    async claim(thread) {
      const page = pageName();
      return page ? ask(thread, { page }).catch(() => undefined) : undefined;
    },
    async begin(thread, call, signal, workflow) {
      while (!signal.aborted) {
        const page = pageName();
        if (!page) return MINE;
        try {
          return await ask(thread, { page, call, ...(workflow && { workflow }) });
        } catch (error) {
          if (error instanceof RequestError && error.status !== 0)
            return { ...MINE, unsure: error.details.message };
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
      return MINE;
    },
    tell(thread, call, note) {
      const page = pageName();
      if (page && thread !== undefined && note !== undefined)
        void ask(thread, { page, call, note }).catch(() => {});
    },
  };
}
