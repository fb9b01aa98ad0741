import { responseGone } from "./errors";

/** A response that outlives its connection: where that breaks, it is read on from the next event. */

/**
 * Between two tries, in milliseconds; after the last one the response is given up. Two minutes: a ComfyUI with many packs takes
 * that long to start.
 */
export const PAUSES: readonly number[] = [250, 500, 1000, 2000, 3000, 4000, ...Array(22).fill(5000)];
const DONE = "data: [DONE]";
const lost = {
  type: "data-notice",
  data: { code: "connection-lost", message: "The connection was lost; the answer goes on when it is back." },
  transient: true,
};
/** Any part ends the notice. */
const back = { type: "data-connected", data: {}, transient: true };

/** The rest of a response from an event on; empty where it is gone. Throws while there is no connection. */
export type Continue = (from: number) => Promise<Response>;

/** What has no content may still come with a body, which ends at once. */
export function bodyOf({ status, body }: Response): Response["body"] {
  return status === 204 ? null : body;
}

/**
 * The same events with whole ones only, each once, however often the connection breaks. `resume` is asked for the
 * rest; an answer that ends without `[DONE]` broke off, too. The first error is told where all tries fail, that the
 * response is gone as soon as the server says so, and the error of the signal at once.
 */
export function lastingStream(
  body: ReadableStream<Uint8Array>,
  resume: Continue,
  { signal, pauses = PAUSES }: { signal?: AbortSignal | null | undefined; pauses?: readonly number[] } = {},
): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder();
  let reader = body.getReader();
  let text = new TextDecoder();
  let rest = "";
  let events = 0;
  let isDone = false;

  const eventOf = (part: object) => bytes.encode(`data: ${JSON.stringify(part)}\n\n`);

  /** The blocks that are whole by now. */
  function whole(chunk: string): string {
    rest += chunk;
    const end = rest.lastIndexOf("\n\n") + 2;
    if (end < 2) return "";
    const blocks = rest.slice(0, end);
    rest = rest.slice(end);
    for (const block of blocks.split("\n\n")) {
      if (block.startsWith(DONE)) isDone = true;
      else if (block.startsWith("data:")) events += 1;
    }
    return blocks;
  }

  async function reconnect(broken: unknown): Promise<void> {
    rest = "";
    text = new TextDecoder();
    for (const pause of pauses) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (signal?.aborted) throw signal.reason;
      const response = await resume(events).catch(() => undefined);
      if (!response) continue;
      const remainder = bodyOf(response);
      if (!remainder) throw responseGone(response.status);
      reader = remainder.getReader();
      return;
    }
    throw broken;
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      const abort = () => {
        controller.error(signal?.reason);
        void reader.cancel(signal?.reason).catch(() => {});
      };
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    },
    async pull(controller) {
      for (;;) {
        try {
          const { done, value } = await reader.read();
          if (signal?.aborted) return;
          const blocks = value ? whole(text.decode(value, { stream: true })) : "";
          if (blocks) return controller.enqueue(bytes.encode(blocks));
          if (!done) continue;
          if (isDone) return controller.close();
        } catch (error) {
          if (signal?.aborted) return;
          if (isDone) throw error;
          controller.enqueue(eventOf(lost));
          await reconnect(error);
          return controller.enqueue(eventOf(back));
        }
        await reconnect(new TypeError("The answer broke off."));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
