import { describe, expect, it } from "vitest";
import { barsOf } from "./chartBars";
import type { SpentOnDay } from "./costsApi";

const entry = (day: string, model: string, dollars: number, tokens = 0): SpentOnDay => ({
  ...{ day, model, dollars, requests: 1, inputTokens: tokens, cachedInputTokens: 0, outputTokens: 0 },
  ...{ unpriced: 0, counted: 0 },
});

describe("barsOf", () => {
  it("gives each day a bar, also those on which nothing was spent", () => {
    const entries = [entry("2026-02-28", "a", 1), entry("2026-03-02", "b", 3), entry("2026-03-02", "a", 2)];
    expect(barsOf(entries, { since: "2026-02-28", today: "2026-03-02" }, ["a", "b"], "money")).toEqual([
      { label: "Feb 28", total: 1, parts: [{ model: "a", amount: 1 }] },
      { label: "Mar 1", total: 0, parts: [] },
      {
        ...{ label: "Mar 2", total: 5 },
        parts: [
          { model: "a", amount: 2 },
          { model: "b", amount: 3 },
        ],
      },
    ]);
  });

  it("gives each month one where there are many days", () => {
    const entries = [
      entry("2025-12-31", "a", 0, 7),
      entry("2026-02-01", "a", 0, 1),
      entry("2026-02-03", "a", 0, 2),
    ];
    const bars = barsOf(entries, { since: "2025-12-01", today: "2026-02-28" }, ["a"], "tokens");
    expect(bars.map(({ label, total }) => [label, total])).toEqual([
      ["Dec 2025", 7],
      ["Jan 2026", 0],
      ["Feb 2026", 3],
    ]);
  });
});
