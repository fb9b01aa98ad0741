import type { AssistantApi } from "../../api/assistantApi";
import type { Branch } from "../../api/replies";
import { createKeyedStore, type KeyedStore } from "../../shared/store";

/** The branches of the threads that were open since the page was loaded. */
export interface ThreadBranches {
  known: KeyedStore<readonly Branch[]>;
  /** Asks the server again; what it does not tell is left as it was. */
  refresh(threadId: string): Promise<void>;
  /** Throws a `RequestError` when the server does not go along. */
  switchTo(threadId: string, branchId: string): Promise<void>;
}

export function createThreadBranches(api: Pick<AssistantApi, "branches" | "switchBranch">): ThreadBranches {
  const known = createKeyedStore<readonly Branch[]>();
  async function refresh(threadId: string) {
    const branches = await api.branches(threadId).catch(() => undefined);
    if (branches) known.put(threadId, branches);
  }
  return {
    known,
    refresh,
    async switchTo(threadId, branchId) {
      await api.switchBranch(threadId, branchId);
      await refresh(threadId);
    },
  };
}
