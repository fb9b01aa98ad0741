import { z } from "zod";
import { amountOf, dollars } from "../../shared/amounts";

const answerMetadata = z.object({
  model: z.string(),
  steps: z.number(),
  usage: z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    totalTokens: z.number(),
    cachedInputTokens: z.number().optional(),
    /** Of the whole answer, as far as prices are known. */
    dollars: z.number().optional(),
  }),
});

/** One quiet line about an answer, for example "qwen3:8b · 2,188 tokens, 900 cached · 4 steps". */
export function describeAnswer(custom: unknown): string {
  const { data } = answerMetadata.partial().safeParse(custom);
  if (!data) return "";
  const { model, usage, steps } = data;
  return [
    model,
    usage &&
      `${amountOf(usage.totalTokens, "token")}${usage.cachedInputTokens ? `, ${usage.cachedInputTokens.toLocaleString("en")} cached` : ""}`,
    usage?.dollars && dollars(usage.dollars),
    steps !== undefined && steps > 1 && amountOf(steps, "step"),
  ]
    .filter(Boolean)
    .join(" · ");
}
