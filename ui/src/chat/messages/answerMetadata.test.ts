import { expect, it } from "vitest";
import { describeAnswer } from "./answerMetadata";

const usage = { inputTokens: 2100, outputTokens: 88, totalTokens: 2188 };

it.each([
  [
    { model: "qwen3:8b", usage: { ...usage, cachedInputTokens: 900 }, steps: 4 },
    "qwen3:8b · 2,188 tokens, 900 cached · 4 steps",
  ],
  [{ model: "gpt", usage: { ...usage, dollars: 0.01234 }, steps: 2 }, "gpt · 2,188 tokens · $0.01 · 2 steps"],
  [{ model: "qwen3:8b", usage, steps: 1 }, "qwen3:8b · 2,188 tokens"],
  [{ model: "qwen3:8b", steps: 2 }, "qwen3:8b · 2 steps"],
  [{}, ""],
  ["odd", ""],
])("describes %j", (metadata, line) => {
  expect(describeAnswer(metadata)).toBe(line);
});
