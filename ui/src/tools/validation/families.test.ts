import { expect, it } from "vitest";
import type { InputDefinition, NodeDefinition } from "../../comfy/bridge";
import type { PromptNodes } from "../../graph/prompt";
import { familyFindings, type Head } from "./families";

const link = (name: string, type: string): InputDefinition => ({ name, type, isOptional: false });
const files = (name: string, ...choices: string[]): InputDefinition => ({
  ...{ name, type: "COMBO", isOptional: false, widget: "choice", choices },
});

function node(type: string, inputs: InputDefinition[], gives: string[], origin?: string): NodeDefinition {
  const outputs = gives.map((name) => ({ name, type: name }));
  return {
    type,
    title: type,
    category: "",
    description: "",
    isOutput: false,
    inputs,
    outputs,
    ...(origin && { origin }),
  };
}

const encoders = [
  "qwen.safetensors",
  "umt5.safetensors",
  "clip_l.safetensors",
  "clip_g.safetensors",
  "t5.gguf",
];
const models = ["wan.safetensors", "sdxl.safetensors", "wan.gguf"];
const text = [link("clip", "CLIP"), link("text", "STRING")];
const sampled = [
  ...[link("model", "MODEL"), link("positive", "CONDITIONING")],
  ...[link("negative", "CONDITIONING"), link("latent_image", "LATENT")],
];
const definitions = new Map(
  [
    node("UNETLoader", [files("unet_name", ...models)], ["MODEL"]),
    node("UnetLoaderGGUF", [files("unet_name", ...models)], ["MODEL"], "a-pack"),
    node("CheckpointLoaderSimple", [files("ckpt_name", "all.safetensors")], ["MODEL", "CLIP", "VAE"]),
    node(
      "LoraLoader",
      [link("model", "MODEL"), link("clip", "CLIP"), files("lora_name", "a.safetensors")],
      ["MODEL", "CLIP"],
    ),
    node("PackLora", [link("model", "MODEL"), files("lora_name", "a.safetensors")], ["MODEL"], "a-pack"),
    node("CLIPLoader", [files("clip_name", ...encoders)], ["CLIP"]),
    node("DualCLIPLoader", [files("clip_name1", ...encoders), files("clip_name2", ...encoders)], ["CLIP"]),
    node("CLIPTextEncode", text, ["CONDITIONING"]),
    node("VAELoader", [files("vae_name", "wan_vae.safetensors", "sd_vae.safetensors")], ["VAE"]),
    node("KSampler", sampled, ["LATENT"]),
    node("BasicGuider", [link("model", "MODEL"), link("conditioning", "CONDITIONING")], ["GUIDER"]),
    node("SamplerCustomAdvanced", [link("guider", "GUIDER"), link("latent_image", "LATENT")], ["LATENT"]),
    node("VAEDecode", [link("samples", "LATENT"), link("vae", "VAE")], ["IMAGE"]),
  ].map((each) => [each.type, each]),
);

const known: Record<string, Head> = {
  "wan.safetensors": { takesText: 4096, latents: 16 },
  "sdxl.safetensors": { takesText: 2048, latents: 4 },
  "qwen.safetensors": { givesText: 3584 },
  "umt5.safetensors": { givesText: 4096 },
  "clip_l.safetensors": { givesText: 768 },
  "clip_g.safetensors": { givesText: 1280 },
  "wan_vae.safetensors": { vaeLatents: 16 },
  "sd_vae.safetensors": { vaeLatents: 4 },
};

const found = (nodes: PromptNodes) =>
  familyFindings(
    nodes,
    {
      definitionOf: (type) => definitions.get(type),
      types: () => [...definitions.keys()],
      replacementOf: () => undefined,
      graphAt: () => undefined,
    },
    async (names) => new Map(names.flatMap((name) => (known[name] ? [[name, known[name]]] : []))),
  );

const made = (model: string, encoder: string, vae = "wan_vae.safetensors", more: PromptNodes = {}) => ({
  1: { class_type: "UNETLoader", inputs: { unet_name: model } },
  2: { class_type: "CLIPLoader", inputs: { clip_name: encoder } },
  3: { class_type: "CLIPTextEncode", inputs: { clip: ["2", 0], text: "a cat" } },
  4: { class_type: "KSampler", inputs: { model: ["1", 0], positive: ["3", 0], negative: ["3", 0] } },
  5: { class_type: "VAELoader", inputs: { vae_name: vae } },
  6: { class_type: "VAEDecode", inputs: { samples: ["4", 0], vae: ["5", 0] } },
  ...more,
});
const whole = { problems: [], notChecked: [] };

it("files that go together are no problem", async () => {
  expect(await found(made("wan.safetensors", "umt5.safetensors"))).toEqual(whole);
});

it("an encoder of another width is one that names both files and what fits", async () => {
  expect(await found(made("wan.safetensors", "qwen.safetensors"))).toEqual({
    problems: [
      {
        kind: "other-family",
        node: "4",
        type: "KSampler",
        input: expect.stringMatching("positive|negative"),
        found: "wan.safetensors takes texts of width 4096, but qwen.safetensors gives 3584.",
        fix: "Set 2.clip_name to umt5.safetensors, or 1.unet_name to a model that goes with it.",
      },
    ],
    notChecked: [],
  });
});

it("a VAE of other channels is one, also behind a guider and LoRAs", async () => {
  const guided = {
    4: { class_type: "BasicGuider", inputs: { model: ["7", 0], conditioning: ["3", 0] } },
    7: { class_type: "LoraLoader", inputs: { model: ["1", 0], clip: ["2", 0], lora_name: "a.safetensors" } },
    8: { class_type: "SamplerCustomAdvanced", inputs: { guider: ["4", 0] } },
    6: { class_type: "VAEDecode", inputs: { samples: ["8", 0], vae: ["5", 0] } },
  } satisfies PromptNodes;
  const { problems } = await found(made("wan.safetensors", "umt5.safetensors", "sd_vae.safetensors", guided));
  expect(problems.map((problem) => [problem.node, problem.found, problem.fix])).toEqual([
    [
      "6",
      "wan.safetensors makes latents of 16 channels, but sd_vae.safetensors takes 4.",
      "Set 5.vae_name to wan_vae.safetensors, or 1.unet_name to a model that goes with it.",
    ],
  ]);
});

it("two encoders side by side fit a model that takes both", async () => {
  const names = { clip_name1: "clip_l.safetensors", clip_name2: "clip_g.safetensors" };
  const both = { 2: { class_type: "DualCLIPLoader", inputs: names } };
  expect(await found(made("sdxl.safetensors", "", "sd_vae.safetensors", both))).toEqual(whole);
  const { problems } = await found(made("sdxl.safetensors", "clip_l.safetensors", "sd_vae.safetensors"));
  expect(problems[0]?.found).toBe(
    "sdxl.safetensors takes texts of width 2048, but clip_l.safetensors gives 768.",
  );
  expect(problems[0]?.fix).toMatch(/^No other choice of 2\.clip_name is known to fit: /);
});

it("what heads do not tell is not checked, which is said", async () => {
  expect(await found(made("wan.safetensors", "t5.gguf"))).toEqual({ problems: [], notChecked: ["t5.gguf"] });
  const ofPack = { 1: { class_type: "UnetLoaderGGUF", inputs: { unet_name: "wan.gguf" } } };
  expect(await found(made("", "qwen.safetensors", undefined, ofPack))).toEqual({
    problems: [],
    notChecked: ["wan.gguf"],
  });
});

it("what a package makes of a model, and what is of one file, is not looked at", async () => {
  const through = {
    4: { class_type: "KSampler", inputs: { model: ["7", 0], positive: ["3", 0] } },
    7: { class_type: "PackLora", inputs: { model: ["1", 0], lora_name: "a.safetensors" } },
  } satisfies PromptNodes;
  expect(await found(made("wan.safetensors", "qwen.safetensors", undefined, through))).toEqual(whole);
  const checkpoint = { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "all.safetensors" } };
  const ofOne = {
    1: checkpoint,
    3: { class_type: "CLIPTextEncode", inputs: { clip: ["1", 1], text: "a cat" } },
    6: { class_type: "VAEDecode", inputs: { samples: ["4", 0], vae: ["1", 2] } },
  } satisfies PromptNodes;
  expect(await found(made("", "", undefined, ofOne))).toEqual(whole);
});
