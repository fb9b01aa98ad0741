import { expect, it } from "vitest";
import { factWords, modelWords } from "./modelWords";

it("says what is known of a model, and nothing else", () => {
  const price = { input: 2.5, cached: 1, output: 10 };
  expect(modelWords({ id: "m", window: 128_000, price })).toBe("128k tokens, $2.5 in, $10 out");
  expect(modelWords({ id: "m", window: null, price: { input: 0, cached: 0, output: 0 } })).toBe("free");
  expect(modelWords({ id: "m", window: null, price: null })).toBe("");
  expect(modelWords(undefined)).toBe("");
});

it("leaves out a window that nobody told of a provider's model", () => {
  const [vision, profile] = [
    { value: null, source: "unknown" },
    { value: "full", source: "table" },
  ];
  const words = (window: { value: number; source: string }) =>
    factWords({ window, vision, profile, price: { value: null, source: "unknown" }, ...origin });
  const origin = { windowSource: "unknown" as const, windowNote: "" };
  expect(words({ value: 8192, source: "unknown" })).toBe("");
  expect(words({ value: 32_000, source: "endpoint" })).toBe("32k tokens");
  expect(factWords(undefined)).toBe("");
});
