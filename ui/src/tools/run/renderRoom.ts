import type { ToolContext } from "../tool";

/** In milliseconds; where the server has nothing to do, it says so before. */
const untilTold = 300;

type Caller = Pick<ToolContext, "ask" | "thread" | "signal" | "onProgress">;

/**
 * Runs while a language model on this machine leaves its graphics memory to ComfyUI, where the server finds that this
 * helps. That it could not is no reason not to run.
 */
export async function withRoom<Result>(caller: Caller, run: () => Promise<Result>): Promise<Result> {
  const { ask, thread, signal, onProgress } = caller;
  if (!ask) return run();
  const route = `/assistant/renders/${Date.now()}-${Math.random()}`;
  const told = setTimeout(
    () => onProgress({ text: "The language model makes room in the graphics memory" }),
    untilTold,
  );
  const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  try {
    await Promise.race([ask("POST", route, { threadId: thread }).catch(() => {}), stopped]);
    clearTimeout(told);
    return await run();
  } finally {
    clearTimeout(told);
    void ask("DELETE", route).catch(() => {});
  }
}
