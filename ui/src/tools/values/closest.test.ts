import { describe, expect, it } from "vitest";
import { closest, closestChoices, closestNames, closestTypes } from "./closest";

const samplers = ["euler", "euler_ancestral", "heun", "dpmpp_2m", "dpmpp_2m_sde", "ddim", "uni_pc"];

describe("the closest names", () => {
  it.each([
    ["a slip of the finger", "eulr", ["euler"]],
    ["two letters swapped", "huen", ["heun"]],
    ["other separators and letter case", "DPM++ 2M".replaceAll("+", "p"), ["dpmpp_2m", "dpmpp_2m_sde"]],
    ["the beginning of a name", "dpmpp", ["dpmpp_2m", "dpmpp_2m_sde"]],
    ["a name with too much around it", "euler_sampler", ["euler"]],
  ])("are found for %s", (_, wanted, expected) => {
    expect(closest(wanted, samplers).slice(0, expected.length)).toEqual(expected);
  });

  it("are none when nothing is near", () => {
    expect(closest("chocolate", samplers)).toEqual([]);
  });

  it("are none for an empty name", () => {
    expect(closest("", samplers)).toEqual([]);
  });

  it("are at most as many as asked for, each once", () => {
    expect(closest("dpmpp", [...samplers, ...samplers], 1)).toEqual(["dpmpp_2m"]);
  });
});

it("of many choices only the closest is told, of few some", () => {
  const few = ["dpmpp_2m", "dpmpp_2m_sde", "dpmpp_2s", "euler"];
  expect(closestChoices("dpmpp_2", few)).toHaveLength(3);
  const many = [...few, ...Array.from({ length: 30 }, (_, index) => `dpmpp_${index}m_sde_gpu`)];
  expect(closestChoices("dpmpp_2n", many)).toEqual(["dpmpp_2m"]);
});

it("files are not near by their ending alone, and one with another ending is", () => {
  const files = ["detail.safetensors", "v1-5-pruned.safetensors", "v1-5-pruned.ckpt"];
  expect(closestChoices("sketch.safetensors", files)).toEqual([]);
  expect(closestChoices("v15 pruned.ckpt", files)).toEqual(["v1-5-pruned.safetensors", "v1-5-pruned.ckpt"]);
});

it("a name of two letters is near where it is a word of its own", () => {
  const files = ["ae.safetensors", "wan_vae.safetensors", "4x-UltraSharp.pth"];
  expect(closestChoices("flux-ae.safetensors", files)[0]).toBe("ae.safetensors");
  expect(closestChoices("4x.pth", files)).toEqual(["4x-UltraSharp.pth"]);
  expect(closestChoices("trae.safetensors", ["ae.safetensors"])).toEqual([]);
});

it("a version is no ending", () => {
  const versions = ["wan_v2.10.safetensors", "wan_v2.20.safetensors", "wan_v2.20"];
  expect(closestChoices("wan_v2.20.gguf", versions)[0]).toBe("wan_v2.20.safetensors");
  expect(closestChoices("2.20", ["1.10", "2.20"])[0]).toBe("2.20");
});

it("the other half of a pair is not near, however alike it is", () => {
  const files = ["wan2.2_i2v_high_noise_14B.safetensors", "wan2.2_i2v_low_noise_14B_fp8.safetensors"];
  expect(closestChoices("wan2.2_i2v_low_noise_14B.safetensors", files)).toEqual([files[1]]);
});

it("names of the same words are near in whatever order they stand", () => {
  const types = ["ImageScale", "VAESave", "ImageScaleBy", "SaveImage", "KSampler", "UpscaleModelLoader"];
  expect(closestNames("Image Save", types)).toEqual(["SaveImage"]);
  expect(closestNames("Model Loader (Upscale)", types)).toEqual(["UpscaleModelLoader"]);
  expect(closestNames("KSampler (Efficient)", types)).toEqual(["KSampler"]);
  expect(closestNames("!", types)).toEqual([]);
});

it("words for a change of size mean one thing", () => {
  expect(closestNames("ImageResize+", ["ImageScale", "ImageGrid", "GetImageSize", "ImageCrop"])).toEqual([
    "ImageScale",
  ]);
});

it("a deprecated type is near only where no other is", () => {
  const types = ["CheckpointLoader", "CheckpointLoaderSimple", "ControlNetApply"];
  const isDeprecated = (type: string) => type !== "CheckpointLoaderSimple";
  expect(closestTypes("CheckpointLoader|pysssss", types, isDeprecated)).toEqual(["CheckpointLoaderSimple"]);
  expect(closestTypes("ControlNetAply", types, isDeprecated)).toEqual(["ControlNetApply"]);
});
