const KEY = "comfyui-assistant.thread";

/**
 * The thread that is open, remembered for this browser tab: a reload comes back to it, and a second tab does not write
 * into the same conversation.
 */
export function createCurrentThread(storage: Pick<Storage, "getItem" | "setItem" | "removeItem">) {
  return {
    read(): string | undefined {
      try {
        return storage.getItem(KEY) ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(id: string | undefined) {
      try {
        if (id === undefined) storage.removeItem(KEY);
        else storage.setItem(KEY, id);
      } catch {}
    },
  };
}
