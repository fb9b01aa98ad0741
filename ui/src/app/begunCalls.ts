import type { ToolResult } from "../tools/tool";

const KEY = "comfyui-assistant.begun-calls";
const MOST = 40;
/** In characters of JSON; of larger results the next page knows only that the call was begun. */
const LONGEST = 100_000;

/**
 * Which tool calls a page of this tab has begun, and what came of them. What one began, the next one must not do a
 * second time; and a result is lost with its page until all calls of its step are settled.
 */
export interface BegunCalls {
  has(toolCallId: string): boolean;
  resultOf(toolCallId: string): ToolResult | undefined;
  /** Written down at once, since the page may be gone in the next moment. */
  add(toolCallId: string): void;
  settle(toolCallId: string, result: ToolResult): void;
}

/** A storage may be full or forbidden: then only this page knows. */
export function createBegunCalls(storage: Pick<Storage, "getItem" | "setItem">): BegunCalls {
  let calls = new Map<string, ToolResult | null>();
  try {
    calls = new Map(JSON.parse(storage.getItem(KEY) ?? "[]"));
  } catch {}

  function put(toolCallId: string, result: ToolResult | null) {
    calls = new Map([...calls, [toolCallId, result] as const].slice(-MOST));
    try {
      storage.setItem(KEY, JSON.stringify([...calls]));
    } catch {}
  }

  return {
    has: (toolCallId) => calls.has(toolCallId),
    resultOf: (toolCallId) => calls.get(toolCallId) ?? undefined,
    add: (toolCallId) => put(toolCallId, null),
    settle: (toolCallId, result) => put(toolCallId, JSON.stringify(result).length > LONGEST ? null : result),
  };
}
