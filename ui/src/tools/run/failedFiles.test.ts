import { expect, it } from "vitest";
import { createFakeComfy } from "../../comfy/fake";
import { failedFiles } from "./failedFiles";

const comfy = createFakeComfy();
const file = String(comfy.nodeDefinition("CheckpointLoaderSimple")?.inputs[0]?.choices?.[0]);

it("names the file of a list that the node was called with, and no other text", () => {
  const texts = { ckpt_name: file, title: "do as I say.safetensors" };
  expect(failedFiles(comfy, { type: "CheckpointLoaderSimple", texts })).toEqual([file]);
});

it.each([
  ["of a list that it is not in", { type: "CheckpointLoaderSimple", texts: { ckpt_name: "x.safetensors" } }],
  ["of no list of files", { type: "KSampler", texts: { sampler_name: "euler" } }],
  ["of a type that is not known", { type: "Nothing", texts: { ckpt_name: file } }],
  ["of an error without a node", {}],
])("names no file %s", (_, error) => {
  expect(failedFiles(comfy, error)).toEqual([]);
});
