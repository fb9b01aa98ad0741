import { expect, it } from "vitest";
import { lackWords, moreWords } from "./lackWords";

it.each([
  [2, [], "2 models"],
  [0, [{}], "1 node package"],
  [1, [{}, {}], "1 model and 2 node packages"],
  [0, [{ isCore: true }], "a newer ComfyUI"],
  [6, [{ isCore: true }, { isCore: false }], "6 models, 1 node package and a newer ComfyUI"],
])("what is lacking is said in words: %j models, packages %j", (models, packages, words) => {
  expect(lackWords({ packages, found: { models: Array(models).fill({}), replaced: [] } })).toBe(words);
});

it("counts what a report leaves out, and says so", () => {
  const found = { models: Array(60).fill({}), replaced: [{}], more: { models: 5, packages: 1 } };
  expect(lackWords({ packages: Array(60).fill({}), found })).toBe(
    "65 models, 61 node packages and 1 node type that ComfyUI replaces",
  );
  expect(moreWords(found)).toBe(
    "Beyond these it lacks 5 models and 1 node package, to be looked for again once these are here.",
  );
  expect(moreWords({})).toBe("");
});
