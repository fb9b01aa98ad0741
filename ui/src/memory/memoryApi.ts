import { z } from "zod";
import type { AssistantApi } from "../api/assistantApi";
import { threadRoute } from "../api/client";

const days = z.object({
  days: z.array(
    z.object({
      day: z.string(),
      bytes: z.number(),
      lines: z.array(z.string()),
      problem: z.string().default(""),
    }),
  ),
});
const document = z.object({ text: z.string(), problem: z.string().default("") });
const runFile = z.object({ filename: z.string(), subfolder: z.string(), type: z.string() });
const runs = z.object({
  runs: z.array(
    z.object({
      id: z.string(),
      at: z.number(),
      texts: z.array(z.string()),
      seeds: z.array(z.number()),
      models: z.array(z.string()),
      files: z.array(runFile),
      hasWorkflow: z.boolean(),
    }),
  ),
});
const workflow = z.object({ workflow: z.looseObject({}) });
const leave = z.object({ searchesAll: z.boolean() });

export type Day = z.output<typeof days>["days"][number];
export type MemoryText = z.output<typeof document>;

export type Run = z.output<typeof runs>["runs"][number];
export type RunFile = z.output<typeof runFile>;

const route = "/assistant/memory";
const runsRoute = "/assistant/runs";
const mostRuns = 12;

/** What stays of condensed chats, by days, and which chats may look into it. */
export function createMemoryApi({ context: { client } }: Pick<AssistantApi, "context">) {
  const { read, send } = client;
  return {
    days: async (query: string) =>
      (await read(days, send("GET", `${route}?query=${encodeURIComponent(query)}`))).days,
    /** What was made, newest first; a day may stand among the words. */
    runs: async (query: string) =>
      (await read(runs, send("GET", `${runsRoute}?limit=${mostRuns}&query=${encodeURIComponent(query)}`)))
        .runs,
    workflowOf: async (run: string) =>
      (await read(workflow, send("GET", `${runsRoute}/${encodeURIComponent(run)}/workflow`))).workflow,
    forgetRun: (run: string) => send("DELETE", `${runsRoute}/${encodeURIComponent(run)}`),
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
