import { describe, expect, it } from "vitest";
import { describeUse, levelOf } from "./measures";
import { report } from "./testReport";

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
