import type { ContextApi } from "../api/contextApi";
import { type ContextReport, contextReport } from "../api/contextReplies";
import { createKeyedStore, type KeyedStore } from "../shared/store";

/** The newest report on each thread's context. */
export interface ThreadContexts {
  reports: KeyedStore<ContextReport>;
  /** A part of an answer's stream that may be a report. */
  note(threadId: string, part: { type: string; data: unknown }): void;
  /** Asks the server, unless something is known. */
  ask(threadId: string): Promise<void>;
}

export function createThreadContexts(api: ContextApi): ThreadContexts {
  const reports = createKeyedStore<ContextReport>();
  return {
    reports,
    note(threadId, { type, data }) {
      const parsed = type === "data-context" ? contextReport.safeParse(data) : undefined;
      if (parsed?.success) reports.put(threadId, parsed.data);
    },
    async ask(threadId) {
      if (reports.get().has(threadId)) return;
      const report = await api.read(threadId).catch(() => undefined);
      if (report && !reports.get().has(threadId)) reports.put(threadId, report);
    },
  };
}
