import { expect, it } from "vitest";
import { failureHint } from "./failureHint";

it.each([
  ["torch.OutOfMemoryError Allocation on device 0", "graphics memory"],
  ["safetensors_rust.SafetensorError Error while deserializing header: header too small", "damaged"],
  [
    "SafetensorError Error while deserializing header: invalid shape, data type, or offset for tensor x",
    "damaged",
  ],
  [
    "ValueError Tensor 'x' extends past the end of the file.\n\nFile path: /m/a.safetensors\n\nThe safetensors file is corrupt/incomplete.",
    "damaged",
  ],
  ["EOFError Ran out of input", "damaged"],
  [
    "SafetensorError Error while deserializing header: incomplete metadata, file not fully covered",
    "damaged",
  ],
  [
    "RuntimeError PytorchStreamReader failed reading zip archive: failed finding central directory",
    "damaged",
  ],
  ["_pickle.UnpicklingError invalid load key, '<'.", "damaged"],
  ["PIL.UnidentifiedImageError cannot identify image file '/input/a.png'", "damaged"],
  ["RuntimeError mat1 and mat2 shapes cannot be multiplied (154x2048 and 768x320)", "families"],
  ["RuntimeError Error(s) in loading state_dict for ControlNet: size mismatch for x", "families"],
  [
    "RuntimeError Given groups=1, weight of size [320, 4, 3, 3], expected input[2, 16, 64, 64] to have 4 channels, but got 16 channels instead",
    "families",
  ],
  [
    "RuntimeError: ERROR: Could not detect model type of: /models/checkpoints/a.safetensors",
    "no model of the kind",
  ],
  [
    "RuntimeError: ERROR: controlnet file is invalid and does not contain a valid controlnet model.",
    "no model of the kind",
  ],
  ["UnsupportedModelError ", "no model of the kind"],
  ["RuntimeError: ERROR: VAE is invalid: None", "choose another file"],
  [
    "RuntimeError: ERROR: clip input is invalid: None\n\nIf the clip is from a checkpoint …",
    "link that of a CLIPLoader",
  ],
  [
    "RuntimeError: ERROR: VAE is invalid: None\n\nIf the VAE is from a checkpoint …",
    "link that of a VAELoader",
  ],
  ["ValueError width must be even", "Change what this node gets"],
])("knows what %s comes from", (said, expected) => {
  expect(failureHint(said)).toContain(expected);
  expect(failureHint(said)).toMatch(/then run again; the nodes before it are cached\.$/);
});

it.each([
  ["EOFError Ran out of input", ["a.ckpt"], "The file that this node loads, a.ckpt, is damaged"],
  ["UnsupportedModelError ", ["x/a.pth", "b.pth"], "The file, x/a.pth or b.pth, is no model"],
  ["ValueError width must be even", ["a.png"], "This node was to load a.png: change that or"],
  ["ValueError width must be even", [], "Change what this node gets"],
])("names the files of a node that said %s", (said, files, expected) => {
  expect(failureHint(said, files)).toContain(expected);
});
