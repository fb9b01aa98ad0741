import { z } from "zod";

const answerMetadata = z.object({
  model: z.string(),
  steps: z.number(),
  usage: z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    totalTokens: z.number(),
    cachedInputTokens: z.number().optional(),
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
      `${count(usage.totalTokens, "token")}${usage.cachedInputTokens ? `, ${usage.cachedInputTokens.toLocaleString("en")} cached` : ""}`,
    steps !== undefined && steps > 1 && count(steps, "step"),
  ]
    .filter(Boolean)
    .join(" · ");
}

function count(amount: number, noun: string): string {
  return `${amount.toLocaleString("en")} ${noun}${amount === 1 ? "" : "s"}`;
}
