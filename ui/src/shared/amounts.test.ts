import { expect, it } from "vitest";
import { amountOf, percent, shortAmount } from "./amounts";

it.each([
  [0, "0"],
  [860, "860"],
  [1000, "1k"],
  [24_120, "24.1k"],
  [999_960, "1M"],
  [1_250_000, "1.3M"],
])("shortens %d to %s", (count, expected) => {
  expect(shortAmount(count)).toBe(expected);
});

it("counts in words and in per cent", () => {
  expect([amountOf(1, "turn"), amountOf(1200, "token"), percent(0.384), percent(0.004), percent(0)]).toEqual([
    "1 turn",
    "1,200 tokens",
    "38 %",
    "0.4 %",
    "0 %",
  ]);
});
