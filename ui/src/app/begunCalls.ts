const KEY = "comfyui-assistant.begun-calls";
const MOST = 60;

/** Which tool calls a page of this tab has begun: what one began, the next one must not do a second time. */
export interface BegunCalls {
  has(toolCallId: string): boolean;
  /** Written down at once, since the page may be gone in the next moment. */
  add(toolCallId: string): void;
}

/** A storage may be full or forbidden: then only this page knows. */
export function createBegunCalls(storage: Pick<Storage, "getItem" | "setItem">): BegunCalls {
  let calls: string[] = [];
  try {
    calls = (JSON.parse(storage.getItem(KEY) ?? "[]") as unknown[]).map(String);
  } catch {}
  return {
    has: (toolCallId) => calls.includes(toolCallId),
    add(toolCallId) {
      calls = [...calls, toolCallId].slice(-MOST);
      try {
        storage.setItem(KEY, JSON.stringify(calls));
      } catch {}
    },
  };
}
