import { describe, expect, it } from "vitest";
import type { Json } from "../graph/graph";
import type { NodeDefinition } from "./bridge";
import { fakeNodes } from "./fakeNodes";
import {
  choicesNamed,
  fullNameOf,
  inputNamed,
  inputsInForce,
  isOptionalInput,
  possibleInputs,
} from "./inputsInForce";

function definitionOf(type: string): NodeDefinition {
  const found = fakeNodes.find((node) => node.type === type);
  if (!found) throw new Error(`There is no fake ${type}.`);
  return found;
}

function namesIn(type: string, held: Record<string, Json> = {}): string[] {
  return inputsInForce(definitionOf(type), (name) => held[name]).map(({ name }) => name);
}

describe("the inputs in force", () => {
  it("are those of the choice that is made", () => {
    expect(namesIn("ResizeImageMaskNode", { resize_type: "scale by multiplier" })).toEqual([
      "input",
      "resize_type",
      "resize_type.multiplier",
      "scale_method",
    ]);
    expect(namesIn("ResizeImageMaskNode", { resize_type: "no such" })).toEqual([
      "input",
      "resize_type",
      "scale_method",
    ]);
  });

  it("are of a growing row those that are needed and those that hold something", () => {
    expect(namesIn("BatchImagesNode")).toEqual(["images.image0"]);
    expect(namesIn("BatchImagesNode", { "images.image2": ["1", 0] })).toEqual([
      "images.image0",
      "images.image2",
    ]);
  });
});

it("finds an input by its full name, whatever is chosen", () => {
  expect(inputNamed(definitionOf("ResizeImageMaskNode"), "resize_type.multiplier")).toMatchObject({ max: 8 });
  expect(inputNamed(definitionOf("BatchImagesNode"), "images.image7")).toMatchObject({
    type: "IMAGE",
    isOptional: true,
  });
  expect(inputNamed(definitionOf("BatchImagesNode"), "images")).toBeUndefined();
});

it("needs the first of a growing row, and no input that a node has grown by itself", () => {
  const batch = definitionOf("BatchImagesNode");
  expect(["images.image0", "images.image1", "any_06"].map((name) => isOptionalInput(batch, name))).toEqual([
    false,
    true,
    true,
  ]);
  expect(isOptionalInput(definitionOf("KSampler"), "model")).toBe(false);
});

it("lists the inputs of all choices, and the first of a growing row", () => {
  expect(possibleInputs(definitionOf("ResizeImageMaskNode")).map(({ name }) => name)).toContain(
    "resize_type.match",
  );
  expect(possibleInputs(definitionOf("BatchImagesNode")).map(({ name }) => name)).toEqual(["images.image0"]);
});

it("knows an input by the last part of its name where that is one", () => {
  const resize = definitionOf("ResizeImageMaskNode");
  expect(["multiplier", "resize_type.match", "size"].map((name) => fullNameOf(resize, name))).toEqual([
    "resize_type.multiplier",
    "resize_type.match",
    undefined,
  ]);
  expect(fullNameOf(definitionOf("BatchImagesNode"), "image4")).toBe("images.image4");
});

it("tells what an input may hold with each of the choices that bring it", () => {
  const depth = (choices: string[]) => ({
    ...{ name: "format.bit_depth", type: "COMBO", isOptional: false, isWidget: true },
    choices,
  });
  const options = [
    { key: "png", inputs: [depth(["8-bit", "16-bit"])] },
    { key: "exr", inputs: [depth(["32-bit float"])] },
  ];
  const inputs = [{ name: "format", type: "COMBO", isOptional: false, isWidget: true, options }];
  expect(choicesNamed({ inputs }, "format.bit_depth")).toEqual(["8-bit", "16-bit", "32-bit float"]);
  expect(choicesNamed({ inputs }, "format.quality")).toBeUndefined();
});
