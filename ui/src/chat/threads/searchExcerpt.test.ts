import { expect, it } from "vitest";
import { excerptParts } from "./searchExcerpt";

const shown = (excerpt: string, query: string) =>
  excerptParts(excerpt, query)
    .map(({ text, isFound }) => (isFound ? `<${text}>` : text))
    .join("");

it.each([
  ["The KSampler takes steps.", "sampler", "The K<Sampler> takes steps."],
  ["more steps, Steps first", "steps", "more <steps>, <Steps> first"],
  ["a cfg of 7.5 (low)", "7.5 (low)", "a cfg of <7.5> <(low)>"],
  ["steps_total and steps", "steps steps_total", "<steps_total> and <steps>"],
  ["nothing here", "", "nothing here"],
  ["an odd [ query", "[", "an odd <[> query"],
])("marks the words of the query: %s", (excerpt, query, expected) => {
  expect(shown(excerpt, query)).toBe(expected);
});

it.each([
  ["**Bold** and `code` of my_file_v2.png", "Bold and code of my_file_v2.png"],
  ["…text ## Heading then #5 and ```python x = 1```", "…text Heading then #5 and python x = 1"],
  ["see [the guide](http://a.example/b_c) for 2 * 3 ** 2", "see the guide for 2 * 3 ** 2"],
  ["![a cat](output/cat.png) done", "a cat done"],
])("leaves Markdown's marks out: %s", (excerpt, expected) => {
  expect(shown(excerpt, "zebra")).toBe(expected);
});

it("finds a word across what is left out", () => {
  expect(shown("use **K**Sampler", "ksampler")).toBe("use <KSampler>");
});
