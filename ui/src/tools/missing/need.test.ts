import { expect, it } from "vitest";
import { lackWords } from "./need";

it.each([
  [2, [], "2 models"],
  [0, [{}], "1 node package"],
  [1, [{}, {}], "1 model and 2 node packages"],
  [0, [{ isCore: true }], "a newer ComfyUI"],
  [6, [{ isCore: true }, { isCore: false }], "6 models, 1 node package and a newer ComfyUI"],
])("what is lacking is said in words: %j models, packages %j", (models, packages, words) => {
  expect(lackWords({ packages, found: { models: Array(models).fill({}) } })).toBe(words);
});
