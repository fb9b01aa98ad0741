import type { PromptQueue } from "../comfy/bridge";
import type { Ask } from "../tools/missing/ask";

/**
 * Tells the server of each run of this page that ends, whoever began it, so that what it made is found again by its
 * prompt and day. One that cannot be told is not found, and nothing else fails by it.
 */
export function keepRuns(queue: Pick<PromptQueue, "subscribe">, ask: Ask): void {
  queue.subscribe((event) => {
    if (event.type === "settled")
      ask("POST", "/assistant/runs", { promptId: event.promptId }).catch(() => {});
  });
}
