import { expect, it } from "vitest";
import type { InputDefinition, NodeDefinition } from "../comfy/bridge";
import { createFakeComfy } from "../comfy/fake";
import { fakeNodes } from "../comfy/fakeNodes";
import { testCalls } from "../tools/testing/testCall";
import { createSuggest } from "./suggestions";

const [red, build, explain, run, twice, why] = [
  "Make a red 64×64 image and save it",
  "Build a text to image workflow",
  "Explain this workflow step by step",
  "Make this workflow run here",
  "Make the image twice as large before it is saved",
  "Why did the last run fail?",
];
const saving = (definitions: readonly NodeDefinition[] = fakeNodes) =>
  testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"], definitions).comfy;

function node(type: string, ...inputs: InputDefinition[]): NodeDefinition {
  return { type, title: type, category: "", description: "", isOutput: false, inputs, outputs: [] };
}

const fileChoice = (name: string, choices: readonly string[]): InputDefinition => ({
  ...{ name, type: "COMBO", isOptional: false, widget: "choice", choices },
});

function withUpscalers(...files: string[]): readonly NodeDefinition[] {
  const loader = node("UpscaleModelLoader", fileChoice("model_name", files));
  return [...fakeNodes, loader, node("ImageUpscaleWithModel")];
}

it("an empty workflow is to be built, by a model that can", () => {
  const suggest = createSuggest(createFakeComfy());
  expect(suggest(false)()).toEqual([red, build]);
  expect(suggest(true)()).toEqual([red]);
});

it("an image that is saved in one place is made larger", () => {
  expect(createSuggest(saving())(false)()).toEqual([explain, twice]);
  expect(createSuggest(testCalls(["EmptyImage"]).comfy)(false)()).toEqual([explain]);
  expect(createSuggest(testCalls(["EmptyImage", "SaveImage"]).comfy)(false)()).toEqual([explain]);
  const links = ["1.IMAGE>2.images", "1.IMAGE>3.images"];
  const two = testCalls(["EmptyImage", "SaveImage", "SaveImage"], links).comfy;
  expect(createSuggest(two)(false)()).toEqual([explain]);
});

it("what has been made larger is not made larger still", () => {
  const { comfy } = testCalls(
    ["EmptyImage", "ImageScaleBy", "SaveImage"],
    ["1.IMAGE>2.image", "2.IMAGE>3.images"],
  );
  expect(createSuggest(comfy)(false)()).toEqual([explain]);
});

it("what lies in a subgraph counts, for each node that shows it", () => {
  const inside = (wrapped: string[], nodes: string[], links: string[], definitions = fakeNodes) => {
    const { comfy } = testCalls(nodes, links, definitions);
    comfy.edit((editor) => editor.makeSubgraph(wrapped, "Inner"));
    return createSuggest(comfy)(false)();
  };
  const chain = ["1.IMAGE>2.image", "2.IMAGE>3.images"];
  expect(inside(["3"], ["EmptyImage", "ImageInvert", "SaveImage"], chain)).toEqual([explain, twice]);
  expect(inside(["2"], ["EmptyImage", "ImageScaleBy", "SaveImage"], chain)).toEqual([explain]);
  const gone = { ...fileChoice("file", ["there.safetensors"]), default: "gone.safetensors" };
  expect(inside(["1"], ["Loader"], [], [...fakeNodes, node("Loader", gone)])).toEqual([explain, run]);
});

it("an upscaler that is installed is named to a model that can add it", () => {
  const suggest = createSuggest(saving(withUpscalers("1x-Skin.pth", "photo/4x-Sharp.pth")));
  expect(suggest(false)()).toEqual([explain, "Upscale the image with photo/4x-Sharp.pth before it is saved"]);
  expect(suggest(true)()).toEqual([explain, twice]);
  expect(createSuggest(saving(withUpscalers("1x-Skin.pth")))(false)()).toEqual([explain, twice]);
});

it("only what lacks something is made to run here", () => {
  const loader = node("Loader", fileChoice("file", ["there.safetensors"]));
  const { comfy } = testCalls(["Loader"], [], [...fakeNodes, loader]);
  const suggest = createSuggest(comfy);
  expect(suggest(false)()).toEqual([explain]);
  comfy.edit((editor) => editor.setWidget("1", "file", "gone.safetensors"));
  expect(suggest(false)()).toEqual([explain, run]);
  expect(suggest(true)()).toEqual([explain]);
});

it("only a run that failed is asked about", () => {
  const comfy = saving();
  const look = createSuggest(comfy)(true);
  expect(look()).not.toContain(why);
  comfy.queue.shown = { problems: [] };
  expect(look()).toContain(why);
});

it("what is suggested follows the workflow", () => {
  const { comfy } = testCalls();
  const look = createSuggest(comfy)(false);
  expect(look()).toEqual([red, build]);
  comfy.edit((editor) => editor.addNode("EmptyImage"));
  expect(look()).toEqual([explain]);
});
