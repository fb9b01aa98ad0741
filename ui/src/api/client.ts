import type { z } from "zod";
import { wellFormed } from "../shared/wellFormed";
import { errorFromReply, RequestError, unreachable } from "./errors";

/** ComfyUI's own fetch: it adds the base path and the user of this page. */
export type FetchApi = (route: string, init?: RequestInit) => Promise<Response>;

/** Requests to the extension, with every failure as a `RequestError`. */
export interface Client {
  fetch(route: string, init: RequestInit): Promise<Response>;
  send(method: string, route: string, body?: unknown): Promise<Response>;
  /** The reply's JSON, checked. */
  read<Schema extends z.ZodType>(schema: Schema, reply: Promise<Response>): Promise<z.output<Schema>>;
}

export function createClient(fetchApi: FetchApi): Client {
  const fetch: Client["fetch"] = (route, init) => checked(fetchApi, route, init);
  return {
    fetch,
    send: (method, route, body) =>
      fetch(route, {
        method,
        // The server takes nothing that changes something without it, a deletion included: a foreign page cannot send it.
        ...(method !== "GET" && { headers: { "content-type": "application/json" } }),
        ...(body !== undefined && { body: JSON.stringify(wellFormed(body)) }),
      }),
    async read(schema, reply) {
      const response = await reply;
      const parsed = schema.safeParse(await response.json().catch(() => undefined));
      if (parsed.success) return parsed.data;
      throw new RequestError(
        {
          code: "unknown_reply",
          message: `The assistant's server part answered in a form that this panel does not know (${new URL(response.url, location.href).pathname}).`,
          hint: "After an update, restart ComfyUI and reload this page, so that both parts have the same version.",
        },
        response.status,
      );
    },
  };
}

async function checked(fetchApi: FetchApi, route: string, init: RequestInit): Promise<Response> {
  const response = await fetchApi(route, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unreachable();
  });
  if (response.ok) return response;
  throw errorFromReply(response.status, await response.text().catch(() => ""));
}

/** The route of a thread, or of what belongs to it. */
export function threadRoute(threadId: string, ...rest: string[]): string {
  return ["/assistant/threads", ...[threadId, ...rest].map(encodeURIComponent)].join("/");
}
