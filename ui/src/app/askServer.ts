import type { Client } from "../api/client";
import { RequestError } from "../api/errors";
import { parseJson } from "../shared/json";
import type { Ask } from "../tools/missing/ask";

/** Requests of tools, whose failures are values. */
export function createAsk({ send }: Pick<Client, "send">): Ask {
  return async (method, route, body) => {
    try {
      const text = await (await send(method, route, body)).text();
      return { ok: true, value: parseJson(text, text) };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return { ok: false, status: error.status, ...error.details };
    }
  };
}
