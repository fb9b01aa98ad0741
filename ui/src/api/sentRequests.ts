/** What was sent to the model for a thread, and what was delegated: only the context view reads it. */

import { z } from "zod";
import { threadRoute as at, type Client } from "./client";
import { time } from "./replies";

const sentRequestSummary = z.object({
  id: z.string(),
  messageId: z.string().nullish(),
  step: z.number(),
  createdAt: time,
  model: z.string().nullish(),
  estimatedTokens: z.number().nullish(),
  inputTokens: z.number().nullish(),
  cachedInputTokens: z.number().nullish(),
});
export type SentRequestSummary = z.infer<typeof sentRequestSummary>;
const sentRequestsReply = z.object({ requests: z.array(sentRequestSummary) });

const json = z.record(z.string(), z.unknown());
const sentRequest = sentRequestSummary.extend({
  messages: z.array(json),
  tools: z
    .array(json)
    .nullish()
    .transform((tools) => tools ?? []),
});
export type SentRequest = z.infer<typeof sentRequest>;

const delegatedTask = z.object({
  id: z.string(),
  parentTaskId: z.string().nullish(),
  task: z.string(),
  status: z.enum(["running", "done", "failed", "cancelled"]),
  steps: z.number().nullish(),
  tokens: z.number().nullish(),
  startedAt: time,
  endedAt: time.nullish(),
  result: z.unknown().optional(),
  messages: z.array(json).nullish(),
});
export type DelegatedTask = z.infer<typeof delegatedTask>;
const tasksReply = z.object({ tasks: z.array(delegatedTask) });

export const readRequests = async ({ read, send }: Client, threadId: string): Promise<SentRequestSummary[]> =>
  (await read(sentRequestsReply, send("GET", at(threadId, "requests")))).requests;

export const readRequest = (
  { read, send }: Client,
  threadId: string,
  requestId: string,
): Promise<SentRequest> => read(sentRequest, send("GET", at(threadId, "requests", requestId)));

export const readTasks = async ({ read, send }: Client, threadId: string): Promise<DelegatedTask[]> =>
  (await read(tasksReply, send("GET", at(threadId, "tasks")))).tasks;
