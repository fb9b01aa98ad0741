import { expect, it } from "vitest";
import { modelWords } from "./modelWords";

it("says what is known of a model, and nothing else", () => {
  const price = { input: 2.5, cached: 1, output: 10 };
  expect(modelWords({ id: "m", window: 128_000, price })).toBe("128k tokens, $2.5 in, $10 out");
  expect(modelWords({ id: "m", window: null, price: { input: 0, cached: 0, output: 0 } })).toBe("free");
  expect(modelWords({ id: "m", window: null, price: null })).toBe("");
  expect(modelWords(undefined)).toBe("");
});
