/** The routes that missing things are settled by, from values: what is asked of them is noted. */

import type { Ask, Reply } from "../missing/ask";

export interface StandInServer {
  ask: Ask;
  /** Method and route of every request, and what was sent. */
  requests: { at: string; body: unknown }[];
  /** By method and route; a list is answered one after the other, its last for ever. A download is what it began as. */
  replies: Record<string, Reply | Reply[]>;
}

export const good = (value: unknown): Reply => ({ ok: true, value });
export const bad = (code: string, status = 400): Reply => ({
  ok: false,
  status,
  code,
  message: `It is ${code}.`,
});

export function standInServer(replies: StandInServer["replies"] = {}): StandInServer {
  const server: StandInServer = {
    requests: [],
    replies,
    async ask(method, route, body) {
      const at = `${method} ${route}`;
      server.requests.push({ at, body });
      const begun = /^GET (\/assistant\/models\/downloads)\//.exec(at);
      const reply = server.replies[at] ?? (begun ? server.replies[`POST ${begun[1]}`] : undefined);
      if (Array.isArray(reply)) return (reply.length > 1 ? reply.shift() : reply[0]) ?? bad("gone", 404);
      return reply ?? bad("absent", 404);
    },
  };
  return server;
}

export const offerReply = (more: object = {}) =>
  good({
    ...{
      id: "o1",
      file: "a.safetensors",
      folder: "checkpoints",
      host: "huggingface.co",
      url: "https://huggingface.co/a",
    },
    ...{ size: 2_000_000_000, licence: "mit", isChecked: true, isPickle: false, free: 9e12, ...more },
  });

export const downloadReply = (state: string, more: object = {}) =>
  good({ id: "d1", state, received: 1_000_000_000, size: 2_000_000_000, ...more });
