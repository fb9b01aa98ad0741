import { RequestError } from "./errors";
import { PAUSES } from "./lastingStream";

/** Asks again, for a time, as long as ComfyUI is out of reach; any other failure is that of the first try. */
export async function whileAway<Reply>(
  ask: () => Promise<Reply>,
  signal?: AbortSignal | null,
  pauses = PAUSES,
): Promise<Reply> {
  for (const pause of pauses) {
    try {
      return await ask();
    } catch (error) {
      const isAway = error instanceof RequestError && error.status === 0;
      if (!isAway || signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return ask();
}
