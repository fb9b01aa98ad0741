import { describe, expect, it } from "vitest";
import { report } from "./testReport";
import { blocksOf, describeNextAction } from "./windowBlocks";

describe("what comes next", () => {
  it.each([
    [{ what: "digest", atTokens: 21_500 }, "Older tool results are shortened at 21,500 tokens."],
    [{ what: "checkpoint", atTokens: 24_000 }, "Older turns are summarized at 24,000 tokens."],
    [{ what: "none", atTokens: null }, "Everything still fits."],
    [undefined, "Everything still fits."],
  ])("%j is said in words", (nextAction, expected) => {
    expect(describeNextAction({ ...report, nextAction })).toBe(expected);
  });
});

describe("the blocks of the window", () => {
  it("add up to the window", () => {
    const blocks = blocksOf(report);
    expect(blocks.map(({ name, tokens }) => [name, tokens])).toEqual([
      ["tools", 3_000],
      ["system", 4_000],
      ["checkpoint", 300],
      ["turns", 4_600],
      ["tail", 400],
      ["free", 23_700],
      ["reserve", 4_000],
    ]);
    expect(blocks.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });

  it("leave nothing free, rather than less, in a request that is too large", () => {
    const over = blocksOf({ ...report, blocks: { ...report.blocks, turns: 90_000 } });
    expect(over.find(({ name }) => name === "free")?.tokens).toBe(0);
  });
});
