import { expect, it } from "vitest";
import { assumedWords, factWords, modelWords } from "./modelWords";

it("says what is known of a model, and nothing else", () => {
  const price = { input: 2.5, cached: 1, output: 10 };
  expect(modelWords({ id: "m", window: 128_000, price })).toBe("128k tokens, $2.5 in, $10 out");
  expect(modelWords({ id: "m", window: null, price: { input: 0, cached: 0, output: 0 } })).toBe("free");
  expect(modelWords({ id: "m", window: null, price: null })).toBe("");
  expect(modelWords(undefined)).toBe("");
});

it("tells what is known of a provider's model from what is assumed", () => {
  const profile = { value: "full", source: "table" };
  const facts = (source: string, vision: boolean | null = null) => ({
    window: { value: 32_000, source },
    vision: { value: vision, source: vision === null ? "unknown" : "endpoint" },
    profile,
    price: { value: null, source: "unknown" },
    windowSource: "unknown" as const,
    windowNote: "",
  });
  const words = (...given: Parameters<typeof facts>) => [
    factWords(facts(...given)),
    assumedWords(facts(...given)),
  ];
  const nobody = "Nobody tells how much this model reads at once: 32k tokens are assumed";
  expect(words("unknown")).toEqual(["", `${nobody}, and that it sees images.`]);
  expect(words("unknown", false)).toEqual(["", `${nobody}.`]);
  expect(words("endpoint")).toEqual(["32k tokens", ""]);
  expect([factWords(undefined), assumedWords(undefined)]).toEqual(["", ""]);
});
