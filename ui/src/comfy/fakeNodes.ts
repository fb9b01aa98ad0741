/** A few of ComfyUI's node types, as its frontend describes them. */

import type { InputDefinition, NodeDefinition } from "./bridge";

const link = (name: string, type: string, isOptional = false): InputDefinition => ({
  name,
  type,
  isOptional,
});

const integer = (name: string, initial: number, min: number, max: number, step = 1): InputDefinition => ({
  name,
  type: "INT",
  isOptional: false,
  widget: "integer",
  default: initial,
  min,
  max,
  step,
});

const number = (name: string, initial: number, min: number, max: number, step: number): InputDefinition => ({
  ...integer(name, initial, min, max, step),
  type: "FLOAT",
  widget: "number",
});

const text = (name: string, initial?: string): InputDefinition => ({
  name,
  type: "STRING",
  isOptional: false,
  widget: "text",
  ...(initial !== undefined && { default: initial }),
});

const choice = (name: string, choices: readonly string[], initial?: string): InputDefinition => ({
  name,
  type: "COMBO",
  isOptional: false,
  widget: "choice",
  choices,
  ...(initial !== undefined && { default: initial }),
});

/** A growing one of which one is needed. */
const row = (name: string, prefix: string, type: string, most: number): InputDefinition => ({
  ...link(name, type),
  grows: {
    names: Array.from({ length: most }, (_, index) => `${name}.${prefix}${index}`),
    least: 1,
    each: link(prefix, type),
  },
});

const node = (
  type: string,
  inputs: InputDefinition[],
  outputs: string[],
  more: Partial<NodeDefinition> = {},
): NodeDefinition => ({
  type,
  title: type,
  category: "test",
  description: "",
  isOutput: false,
  inputs,
  outputs: outputs.map((output) => ({ name: output, type: output })),
  ...more,
});

export const fakeNodes: readonly NodeDefinition[] = [
  node(
    "EmptyImage",
    [
      integer("width", 512, 1, 16384),
      integer("height", 512, 1, 16384),
      integer("batch_size", 1, 1, 4096),
      { ...integer("color", 0, 0, 16777215), isColor: true },
    ],
    ["IMAGE"],
  ),
  node("SaveImage", [link("images", "IMAGE"), text("filename_prefix", "ComfyUI")], [], {
    title: "Save Image",
    isOutput: true,
  }),
  node("PreviewImage", [link("images", "IMAGE")], [], { title: "Preview Image", isOutput: true }),
  node("ImageInvert", [link("image", "IMAGE")], ["IMAGE"], { title: "Invert Image" }),
  node(
    "ImageScaleBy",
    [
      link("image", "IMAGE"),
      choice("upscale_method", ["nearest-exact", "bilinear", "area", "bicubic", "lanczos"]),
      number("scale_by", 1, 0.01, 8, 0.01),
    ],
    ["IMAGE"],
    { title: "Upscale Image By" },
  ),
  node(
    "EmptyLatentImage",
    [integer("width", 512, 16, 16384, 8), integer("height", 512, 16, 16384, 8)],
    ["LATENT"],
    {
      title: "Empty Latent Image",
    },
  ),
  node("CheckpointLoaderSimple", [choice("ckpt_name", ["sd15/base.safetensors", "sdxl.safetensors"])], [], {
    title: "Load Checkpoint",
    outputs: [
      { name: "MODEL", type: "MODEL" },
      { name: "CLIP", type: "CLIP" },
      { name: "VAE", type: "VAE" },
    ],
  }),
  node("CLIPTextEncode", [text("text"), link("clip", "CLIP")], ["CONDITIONING"], {
    title: "CLIP Text Encode (Prompt)",
  }),
  node(
    "KSampler",
    [
      link("model", "MODEL"),
      integer("seed", 0, 0, 18446744073709552000),
      integer("steps", 20, 1, 10000),
      number("cfg", 8, 0, 100, 0.1),
      choice("sampler_name", ["euler", "euler_ancestral", "heun", "dpmpp_2m"]),
      choice("scheduler", ["simple", "karras"]),
      link("positive", "CONDITIONING"),
      link("negative", "CONDITIONING"),
      link("latent_image", "LATENT"),
      number("denoise", 1, 0, 1, 0.01),
    ],
    ["LATENT"],
  ),
  node("VAEDecode", [link("samples", "LATENT"), link("vae", "VAE")], ["IMAGE"], { title: "VAE Decode" }),
  node("LoadImage", [choice("image", [])], ["IMAGE", "MASK"], { title: "Load Image" }),
  node("PrimitiveInt", [integer("value", 0, -9007199254740991, 9007199254740991)], ["INT"], { title: "Int" }),
  node("PreviewAny", [link("source", "*")], [], { title: "Preview Any", isOutput: true }),
  node(
    "InvertBooleanNode",
    [{ name: "boolean", type: "BOOLEAN", isOptional: false, widget: "boolean", default: false }],
    ["BOOLEAN"],
  ),
  node("SolidMask", [number("value", 1, 0, 1, 0.01)], ["MASK"]),
  node("JoinImageWithAlpha", [link("image", "IMAGE"), link("alpha", "MASK")], ["IMAGE"]),
  node(
    "Epsilon Scaling",
    [link("model", "MODEL"), number("scaling_factor", 1.005, 0.5, 1.5, 0.001)],
    ["MODEL"],
  ),
  node(
    "ResizeImageMaskNode",
    [
      { ...link("input", "IMAGE,MASK"), match: "input_type" },
      {
        ...choice(
          "resize_type",
          ["scale dimensions", "scale by multiplier", "match size"],
          "scale dimensions",
        ),
        options: [
          {
            key: "scale dimensions",
            inputs: [
              integer("resize_type.width", 512, 0, 16384),
              integer("resize_type.height", 512, 0, 16384),
              choice("resize_type.crop", ["disabled", "center"], "center"),
            ],
          },
          { key: "scale by multiplier", inputs: [number("resize_type.multiplier", 1, 0.01, 8, 0.01)] },
          { key: "match size", inputs: [link("resize_type.match", "IMAGE,MASK")] },
        ],
      },
      choice("scale_method", ["nearest-exact", "bilinear", "area", "bicubic", "lanczos"], "area"),
    ],
    [],
    {
      title: "Resize Image/Mask",
      outputs: [{ name: "resized", type: "IMAGE,MASK", match: "input_type" }],
    },
  ),
  node("BatchImagesNode", [row("images", "image", "IMAGE", 50)], ["IMAGE"], { title: "Batch Images" }),
  node(
    "ComfySwitchNode",
    [
      { name: "switch", type: "BOOLEAN", isOptional: false, widget: "boolean", default: false },
      { ...link("on_false", "*"), match: "switch" },
      { ...link("on_true", "*"), match: "switch" },
    ],
    [],
    { title: "Switch", outputs: [{ name: "output", type: "*", match: "switch" }] },
  ),
  node("Broadcast", [link("anything", "*", true)], []),
  node("ImageStitch", [link("image1", "IMAGE"), link("image2", "IMAGE", true)], ["IMAGE"]),
];
