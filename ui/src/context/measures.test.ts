import { describe, expect, it } from "vitest";
import type { ContextReport } from "../api/contextReplies";
import { describeUse, levelOf } from "./measures";

const report: ContextReport = {
  form: "full",
  estimatedTokens: 12_300,
  window: 40_000,
  working: 32_000,
  reserve: 4_000,
  blocks: { tools: 3_000, system: 4_000, checkpoint: 300, turns: 4_600, tail: 400 },
  pinned: 0,
  nextAction: { what: "digest", atTokens: 21_500 },
};

describe("how full the context is", () => {
  it.each([
    [20_799, "calm"],
    [20_800, "filling"],
    [27_199, "filling"],
    [27_200, "nearly-full"],
    [40_000, "nearly-full"],
  ] as const)("with %d of 32,000 tokens is %s", (estimatedTokens, level) => {
    expect(levelOf({ ...report, estimatedTokens })).toBe(level);
  });

  it("is told with the figures", () => {
    expect(describeUse(report)).toBe("Context: 12,300 of 32,000 tokens (38 %), of a window of 40,000");
  });
});
