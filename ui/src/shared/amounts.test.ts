import { expect, it } from "vitest";
import { amountOf, dollars, percent, shortAmount } from "./amounts";

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

it.each([
  [0, "$0"],
  [0.00421, "$0.0042"],
  [0.1, "$0.10"],
  [1234.5, "$1,234.50"],
])("writes %d dollars as %s", (amount, expected) => {
  expect(dollars(amount)).toBe(expected);
});
