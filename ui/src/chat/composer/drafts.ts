import type { AttachedFile } from "./attachedFile";

const TEXTS = "comfyui-assistant.draft.";
const FILES = "comfyui-assistant.draft-files.";
/** Characters of the files of one draft. The browser gives a site about five million, and ComfyUI needs its own. */
const MOST_OF_FILES = 1_000_000;

/** The id under which the draft of a chat is kept that the server does not know yet. */
export const UNSENT_THREAD = "new";

/** What is not sent yet in each thread, so that it survives a reload and a switch of threads. */
export interface Drafts {
  read(threadId: string): string;
  write(threadId: string, text: string): void;
  readFiles(threadId: string): AttachedFile[];
  writeFiles(threadId: string, files: readonly AttachedFile[]): void;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** A storage may be full or forbidden: a draft is a convenience and never a reason to fail. */
export function createDrafts(storage: { texts: Store; files: Store }): Drafts {
  return {
    read: (threadId) => read(storage.texts, TEXTS + threadId),
    write: (threadId, text) => write(storage.texts, TEXTS + threadId, text),
    readFiles(threadId) {
      try {
        const files: unknown = JSON.parse(read(storage.files, FILES + threadId) || "[]");
        return Array.isArray(files) ? files : [];
      } catch {
        return [];
      }
    },
    writeFiles(threadId, files) {
      const text = files.length > 0 ? JSON.stringify(files) : "";
      write(storage.files, FILES + threadId, text.length > MOST_OF_FILES ? "" : text);
    },
  };
}

function read(store: Store, key: string): string {
  try {
    return store.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function write(store: Store, key: string, text: string): void {
  try {
    if (text) store.setItem(key, text);
    else store.removeItem(key);
  } catch {}
}
