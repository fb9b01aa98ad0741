import { type Client, threadRoute } from "./client";
import { RequestError, responseGone } from "./errors";
import { bodyOf, lastingStream } from "./lastingStream";

const RESPONSE = "x-assistant-response";
/** What a stopped turn takes to write down what it had; longer than the server leaves one running that nobody reads. */
const PATIENCE_MS = 40_000;
const LOOK_MS = 500;

/** The responses of a thread. The server makes them by itself; a page reads them, and says when to stop. */
export interface TurnStreams {
  /**
   * A new response, when what this page has stopped before in the thread is over on the server. A Stop that comes while
   * it is asked for ends it there as well. `thread` is undefined for a conversation that the server does not keep.
   */
  begin(init: RequestInit, thread: string | undefined): Promise<Response>;
  /**
   * The one of that name that runs in a thread, from its first event on.
   *
   * Throws a `RequestError` `response_gone` where it is gone.
   */
  resume(thread: string, response: string, signal?: AbortSignal | null): Promise<Response>;
  /** Resolves when the server has answered all that this page has stopped in the thread. */
  stopped(thread: string): Promise<void>;
}

export function createTurnStreams(client: Client, lookEvery = LOOK_MS): TurnStreams {
  const stops = new Map<string, Promise<unknown>>();
  const stoppedAt = new Map<string, number>();

  const get = (thread: string, response: string, from: number) =>
    client.fetch(
      `${threadRoute(thread, "stream")}?response=${encodeURIComponent(response)}&from=${from}`,
      {},
    );

  /** Has the server end a response, as soon as its name is known. */
  function stop(thread: string, name: Promise<string | null>): void {
    const done = name
      .then((response) =>
        response === null ? undefined : client.send("POST", threadRoute(thread, "stop"), { response }),
      )
      .catch(() => {});
    const all = Promise.all([stops.get(thread), done]);
    stops.set(thread, all);
    stoppedAt.set(thread, Date.now());
    void all.then(() => stops.get(thread) === all && stops.delete(thread));
  }

  /** A Stop aborts the reading, which alone would leave the response running. */
  async function follow(
    asked: Promise<Response>,
    thread: string,
    signal: AbortSignal | null | undefined,
    known?: string,
  ): Promise<Response> {
    const name = () => (known ? Promise.resolve(known) : asked.then(({ headers }) => headers.get(RESPONSE)));
    const reply = await unlessAborted(asked, signal, () => stop(thread, name()));
    const response = known ?? reply.headers.get(RESPONSE);
    const body = bodyOf(reply);
    if (!body || response === null) return reply;
    const rest = (from: number) => get(thread, response, from);
    const { status, headers } = reply;
    return new Response(lastingStream(body, rest, { signal }), { status, headers });
  }

  /** What was stopped a moment ago may still have the thread, in another process of ComfyUI for instance. */
  async function ask(init: RequestInit, thread: string, signal: AbortSignal | null | undefined) {
    for (;;) {
      try {
        return await client.fetch("/chat", init);
      } catch (error) {
        const isEnding = Date.now() - (stoppedAt.get(thread) ?? Number.NEGATIVE_INFINITY) < PATIENCE_MS;
        const isHeld = error instanceof RequestError && error.details.code === "turn_running";
        if (!isHeld || !isEnding || signal?.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, lookEvery));
      }
    }
  }

  const stopped = async (thread: string) => void (await stops.get(thread));

  return {
    stopped,
    async begin({ signal, ...init }, thread) {
      if (thread === undefined) return client.fetch("/chat", { ...init, ...(signal && { signal }) });
      await stopped(thread);
      signal?.throwIfAborted();
      return follow(ask(init, thread, signal), thread, signal);
    },
    async resume(thread, response, signal) {
      const reply = await follow(get(thread, response, 0), thread, signal, response);
      if (bodyOf(reply)) return reply;
      throw responseGone(reply.status);
    },
  };
}

/** Rejects as soon as it is aborted, and says so once, also where it was before or will be while the reply is read. */
function unlessAborted(
  reply: Promise<Response>,
  signal: AbortSignal | null | undefined,
  onAbort: () => void,
): Promise<Response> {
  if (!signal) return reply;
  return new Promise((resolve, reject) => {
    const abort = () => {
      onAbort();
      reject(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    reply.then(resolve, reject);
  });
}
