import { type Client, threadRoute } from "./client";
import { lastingStream } from "./lastingStream";

const RESPONSE = "x-assistant-response";

/** The responses of a thread. The server makes them by itself; a page reads them, and says when to stop. */
export interface TurnStreams {
  /** A new response. `thread` is undefined for a conversation that the server does not keep. */
  begin(init: RequestInit, thread: string | undefined): Promise<Response>;
  /** The one of that name that runs in a thread, from its first event on; 204 where it is gone. */
  resume(thread: string, response: string, signal?: AbortSignal | null): Promise<Response>;
}

export function createTurnStreams(client: Client): TurnStreams {
  const get = (thread: string, response: string, from: number) =>
    client.fetch(
      `${threadRoute(thread, "stream")}?response=${encodeURIComponent(response)}&from=${from}`,
      {},
    );

  /** A Stop aborts the reading, which alone would leave the response running. */
  function follow(reply: Response, thread: string | undefined, signal?: AbortSignal | null): Response {
    const response = reply.headers.get(RESPONSE);
    if (!reply.body || response === null || thread === undefined) return reply;
    const stop = () => void client.send("POST", threadRoute(thread, "stop"), {}).catch(() => {});
    signal?.addEventListener("abort", stop, { once: true });
    const rest = async (from: number) => {
      const again = await get(thread, response, from);
      return again.status === 204 ? undefined : again;
    };
    const { status, headers } = reply;
    return new Response(lastingStream(reply.body, rest, { signal }), { status, headers });
  }

  return {
    begin: async (init, thread) => follow(await client.fetch("/chat", init), thread, init.signal),
    resume: async (thread, response, signal) => follow(await get(thread, response, 0), thread, signal),
  };
}
