import { z } from "zod";
import { type Client, threadRoute } from "../api/client";

const spent = z.object({
  requests: z.number(),
  inputTokens: z.number(),
  cachedInputTokens: z.number(),
  outputTokens: z.number(),
  /** Of the requests whose price is known. */
  dollars: z.number(),
  /** Requests without a known price. */
  unpriced: z.number(),
  /** Requests whose tokens the server counted itself. */
  counted: z.number(),
});
const costs = z.object({
  since: z.string(),
  today: spent.extend({ day: z.string() }),
  total: spent,
  days: z.array(spent.extend({ day: z.string(), model: z.string() })),
  models: z.array(spent.extend({ model: z.string() })),
  chats: z.array(spent.extend({ threadId: z.string().nullable(), title: z.string().nullable() })),
});
const threadCosts = z.object({
  total: spent,
  answers: z.array(spent.extend({ messageId: z.string() })),
});

export type Spent = z.output<typeof spent>;
export type SpentOnDay = z.output<typeof costs>["days"][number];
export type Costs = z.output<typeof costs>;
export type ThreadCosts = z.output<typeof threadCosts>;

/** Of all chats of the newest days, and of the open chat where anything was said in it. */
export async function readCosts({ read, send }: Client, days: number, thread: string | undefined) {
  const [all, ofThread] = await Promise.all([
    read(costs, send("GET", `/assistant/costs?days=${days}`)),
    thread === undefined ? undefined : read(threadCosts, send("GET", threadRoute(thread, "costs"))),
  ]);
  return { all, ofThread };
}
