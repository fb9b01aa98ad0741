import { steady } from "../../shared/quoted";
import { createKeyedStore, createStore, type KeyedStore, type Store } from "../../shared/store";
import type { ApprovalRequest, AskedWords } from "../../shared/toolCalls";

const KEY = "comfyui-assistant.approvals";

/** In Ask mode the person is asked before anything of weight; in Auto mode only where a tool insists. */
export type ApprovalMode = "ask" | "auto";

/** The person's word on what tools are about to do. */
export interface Approvals {
  mode: Store<ApprovalMode>;
  /** Requests that wait for an answer, by the id of their tool call. */
  pending: KeyedStore<ApprovalRequest>;
  /** Resolves with the person's answer; with false once `signal` is aborted. */
  confirm(toolCallId: string, request: ApprovalRequest, signal: AbortSignal): Promise<boolean>;
  /** Counts only for the very request that was shown: a changed one waits on. */
  answer(request: ApprovalRequest, isAllowed: boolean): void;
  /** Allows it, and keeps what it says of being allowed for good. */
  allowForGood(request: ApprovalRequest): void;
}

export function createApprovals(storage: Pick<Storage, "getItem" | "setItem">): Approvals {
  const pending = createKeyedStore<ApprovalRequest>();
  const answers = new WeakMap<ApprovalRequest, (isAllowed: boolean) => void>();
  const mode = createRememberedMode(storage);
  const allowed = new Set<string>();
  return {
    mode,
    pending,
    async confirm(toolCallId, given, signal) {
      if (signal.aborted) return false;
      if (mode.get() === "auto" && (!given.always || allowed.has(given.same ?? ""))) return true;
      const request = steadied(given);
      const answer = new Promise<boolean>((resolve) => {
        answers.set(request, resolve);
        signal.addEventListener("abort", () => resolve(false), { once: true });
      });
      pending.put(toolCallId, request);
      const isAllowed = await answer;
      if (isAllowed && request.same) allowed.add(request.same);
      if (pending.get().get(toolCallId) === request) pending.put(toolCallId, undefined);
      return isAllowed;
    },
    answer: (request, isAllowed) => answers.get(request)?.(isAllowed),
    allowForGood(request) {
      // Where it cannot be kept, the next question comes as this one did.
      void request.forGood?.keep().catch(() => {});
      if (request.forGood?.same) allowed.add(request.forGood.same);
      answers.get(request)?.(true);
    },
  };
}

function steadied({ title, detail, pointing, outside, ...given }: ApprovalRequest): ApprovalRequest {
  return {
    ...given,
    title: steady(title),
    ...(pointing && {
      pointing: { ...pointing, title: steadyWords(pointing.title), detail: steadyWords(pointing.detail) },
    }),
    ...(detail !== undefined && { detail: steady(detail) }),
    ...(outside && { outside: outside.map(steady) }),
  };
}

function steadyWords(words: AskedWords): AskedWords {
  return words.map((each) =>
    typeof each === "string" ? steady(each) : { ...each, words: steady(each.words) },
  );
}

/**
 * It holds in every tab at once: who chose to be asked is asked in all of them. `storage` may be full or forbidden; then
 * the choice is this tab's, and lasts until it is reloaded.
 */
function createRememberedMode(storage: Pick<Storage, "getItem" | "setItem">): Store<ApprovalMode> {
  let remembered: string | null = null;
  try {
    remembered = storage.getItem(KEY);
  } catch {}
  const mode = createStore<ApprovalMode>(modeOf(remembered));
  globalThis.addEventListener?.("storage", ({ key, newValue }: StorageEvent) => {
    if (key === KEY) mode.set(modeOf(newValue));
  });
  mode.subscribe(() => {
    try {
      storage.setItem(KEY, mode.get());
    } catch {}
  });
  return mode;
}

function modeOf(remembered: string | null): ApprovalMode {
  return remembered === "ask" ? "ask" : "auto";
}
