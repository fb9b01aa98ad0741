const PREFIX = "comfyui-assistant.draft.";

/** The id under which the text of a chat is kept that the server does not know yet. */
export const UNSENT_THREAD = "new";

/** Unsent text of each thread, so that it survives a reload and a switch of threads. */
export interface Drafts {
  read(threadId: string): string;
  write(threadId: string, text: string): void;
}

/** `storage` may be full or forbidden: a draft is a convenience and never a reason to fail. */
export function createDrafts(storage: Pick<Storage, "getItem" | "setItem" | "removeItem">): Drafts {
  return {
    read(threadId) {
      try {
        return storage.getItem(PREFIX + threadId) ?? "";
      } catch {
        return "";
      }
    },
    write(threadId, text) {
      try {
        if (text) storage.setItem(PREFIX + threadId, text);
        else storage.removeItem(PREFIX + threadId);
      } catch {}
    },
  };
}
