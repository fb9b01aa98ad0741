/** Shapes of the replies about a thread's context; unknown keys are dropped, so the server may add some. */

import { z } from "zod";
import { time, windowOrigin } from "./replies";

const tokens = z.number().default(0);

/** What one request holds, in tokens, and what will be done when it grows. */
export const contextReport = z.object({
  /** Which form of the system message it has. */
  form: z.string(),
  estimatedTokens: z.number(),
  window: z.number(),
  /** The part of the window that conversations are kept within. */
  working: z.number(),
  reserve: tokens,
  blocks: z.object({ tools: tokens, system: tokens, checkpoint: tokens, turns: tokens, tail: tokens }),
  /** From 0 to 1: how much of the last request the provider had in its cache. */
  cachedShare: z.number().nullish(),
  pinned: z.number().default(0),
  nextAction: z.object({ what: z.string(), atTokens: z.number().nullish() }).nullish(),
});
export type ContextReport = z.infer<typeof contextReport>;
export type ContextBlock = keyof ContextReport["blocks"];

export const compaction = z.object({
  id: z.string(),
  turns: z.number(),
  rounds: z.number(),
  tokensBefore: z.number(),
  tokensAfter: z.number(),
  cause: z.string(),
});
export type Compaction = z.infer<typeof compaction>;

const pastCompaction = compaction.extend({
  createdAt: time,
  status: z.string(),
  text: z.string().default(""),
});
export type PastCompaction = z.infer<typeof pastCompaction>;

export const pin = z.object({ id: z.string(), text: z.string() });
export type Pin = z.infer<typeof pin>;

const leftOut = z.object({ source: z.string(), amount: z.number(), unit: z.string() });

export const threadContext = contextReport.extend({
  model: z.string().nullish(),
  ...windowOrigin,
  lastUsage: z
    .object({
      inputTokens: z.number(),
      cachedInputTokens: z.number().nullish(),
      outputTokens: z.number().nullish(),
    })
    .nullish(),
  compactions: z.array(pastCompaction).default([]),
  pins: z.array(pin).default([]),
  goals: z.string().nullish(),
  /** What the system message had no room for: how much of which file. */
  leftOut: z.array(leftOut).default([]),
});
export type ThreadContext = z.infer<typeof threadContext>;

const settingValue = z.union([z.number(), z.boolean(), z.string(), z.null()]);
export const option = z.object({
  name: z.string(),
  /** After `/config`. */
  typed: z.string(),
  label: z.string(),
  value: settingValue,
  default: settingValue,
  kind: z.enum(["integer", "boolean"]),
  unit: z.string().optional(),
  /** Stands in the place of a number where there is none. */
  unset: z.string().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  description: z.string(),
});
export type Option = z.infer<typeof option>;
export type OptionValue = Option["value"];
export const optionsReply = z.object({ options: z.array(option) });

const searchHit = z.object({
  threadId: z.string(),
  threadTitle: z.string().nullish(),
  messageId: z.string(),
  role: z.string(),
  createdAt: time,
  excerpt: z.string(),
});
export type SearchHit = z.infer<typeof searchHit>;
export const searchReply = z.object({ results: z.array(searchHit) });

/** What a compaction has left of what it condensed, in words. */
export function checkpointText({ compactions }: ThreadContext, compactionId: string): string {
  const past = compactions.find(({ id }) => id === compactionId);
  if (!past) return "The server no longer has this checkpoint.";
  return past.text || "Only tool results were condensed, each to its own line.";
}
