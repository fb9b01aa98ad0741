import { expect, it } from "vitest";
import type { Option } from "./contextReplies";
import { keptValue, optionTyped, valueWords } from "./optionWords";

const option = (fields: Partial<Option>): Option => ({
  name: "budget_day_cents",
  typed: "budget-day-dollars",
  label: "Budget of a day",
  value: null,
  default: null,
  kind: "integer",
  description: "",
  ...fields,
});

it.each([
  [{ value: 50, unit: "cent" }, "$0.50"],
  [{ value: 8000, unit: "token" }, "8,000 tokens"],
  [{ value: null, unset: "none" }, "none"],
  [{ value: null }, "automatic"],
  [{ value: true, kind: "boolean" }, "on"],
  [{ value: false, kind: "boolean" }, "off"],
] as const)("says the value of %j", (fields, words) => {
  expect(valueWords(option(fields))).toBe(words);
});

it.each([
  ["cent", "0.5", 50],
  ["cent", "$1.10", 110],
  ["cent", "default", "default"],
  ["token", "8000", "8000"],
])("keeps, in %s, %s as it is counted", (unit, typed, kept) => {
  expect(keptValue({ unit }, typed)).toBe(kept);
});

it("finds an option by what is typed, however its words are joined", () => {
  const options = [option({})];
  expect(optionTyped(options, "Budget_day-dollars")).toBe(options[0]);
  expect(optionTyped(options, "budget")).toBeUndefined();
});
