import { expect, it } from "vitest";
import { createFakeComfy } from "../comfy/fake";
import { testCalls } from "../tools/testing/testCall";
import { createSuggest } from "./suggestions";

const [build, explain, run, upscale, why] = [
  "Build a text to image workflow",
  "Explain this workflow step by step",
  "Make this workflow run here",
  "Add an upscaler before the image is saved",
  "Why did the last run fail?",
];
const saving = () => testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]).comfy;

it("an empty workflow is to be built, by a model that can", () => {
  const suggest = createSuggest(createFakeComfy());
  expect(suggest(false)).toEqual([build]);
  expect(suggest(true)).toEqual([]);
});

it("an upscaler goes before an image that is saved", () => {
  expect(createSuggest(saving())(false)).toEqual([explain, run, upscale]);
  expect(createSuggest(testCalls(["EmptyImage"]).comfy)(false)).toEqual([explain, run]);
  expect(createSuggest(testCalls(["EmptyImage", "SaveImage"]).comfy)(false)).toEqual([explain, run]);
});

it("a small model is asked only for what it can do", () => {
  expect(createSuggest(saving())(true)).toEqual([explain, upscale]);
});

it("only a run that failed is asked about", () => {
  const comfy = saving();
  const suggest = createSuggest(comfy);
  expect(suggest(true)).not.toContain(why);
  comfy.queue.shown = { problems: [] };
  expect(suggest(true)).toContain(why);
});

it("what is suggested follows the workflow", () => {
  const { comfy } = testCalls();
  const suggest = createSuggest(comfy);
  expect(suggest(false)).toEqual([build]);
  comfy.edit((editor) => editor.addNode("EmptyImage"));
  expect(suggest(false)).toEqual([explain, run]);
});
