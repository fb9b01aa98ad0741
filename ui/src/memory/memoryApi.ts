import { z } from "zod";
import type { AssistantApi } from "../api/assistantApi";
import { threadRoute } from "../api/client";

const days = z.object({
  days: z.array(z.object({ day: z.string(), bytes: z.number(), lines: z.array(z.string()) })),
});
const document = z.object({ text: z.string(), problem: z.string().default("") });
const leave = z.object({ searchesAll: z.boolean() });

export type Day = z.output<typeof days>["days"][number];
export type MemoryText = z.output<typeof document>;

const route = "/assistant/memory";

/** What stays of condensed chats, by days, and which chats may look into it. */
export function createMemoryApi({ context: { client } }: Pick<AssistantApi, "context">) {
  const { read, send } = client;
  return {
    days: async (query: string) =>
      (await read(days, send("GET", `${route}?query=${encodeURIComponent(query)}`))).days,
    text: (day: string) => read(document, send("GET", `${route}/${day}`)),
    /** "" forgets the day. `seen` is what it shall replace. */
    write: (day: string, text: string, seen: string) =>
      read(document, send("PUT", `${route}/${day}`, { text, seen })),
    leave: async (threadId: string) =>
      (await read(leave, send("GET", threadRoute(threadId, "memory")))).searchesAll,
    give: async (threadId: string, searchesAll: boolean) =>
      (await read(leave, send("PUT", threadRoute(threadId, "memory"), { searchesAll }))).searchesAll,
  };
}

export type MemoryApi = ReturnType<typeof createMemoryApi>;
