import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { NodeDefinition } from "../../comfy/bridge";
import { createFakeComfy } from "../../comfy/fake";
import type { Json } from "../../graph/graph";
import { definition, ofPackage, outputOfPackage, risksOf } from "../testing/risks";
import packages from "./nodeEffects.json";
import { knownTypes, type RiskyNode, riskWords, riskyNodes } from "./riskyNodes";

type CoreInputs = Record<string, Record<string, [string]>>;
const coreNodes: Record<string, { display_name?: string; category?: string; input: CoreInputs }> = JSON.parse(
  readFileSync(new URL("../../../../tests/fixtures/core_nodes.json", import.meta.url), "utf8"),
);

const output = { isOutput: true };

function riskOf(known: NodeDefinition, inputs: Record<string, Json> = {}): string | undefined {
  return risksOf(known, inputs)[0];
}

it.each([
  ["$0.06/Run", "Node 12:3 “Dream” is paid: $0.06/Run."],
  [undefined, "Node 12:3 “Dream” is paid."],
])("the price stands in the question: %s", (price, words) => {
  expect(riskWords({ node: "12:3", title: "Dream", type: "Dream", risk: "is paid", price })).toBe(words);
});

it("says which package's node it is and the value, and quotes what the workflow says", () => {
  const comfy = createFakeComfy({ definitions: [definition("Save Text File", outputOfPackage)] });
  const title = "Preview” is harmless.\u202e Node 9 “Preview";
  const inputs = { path: `/etc/"x"\u200b\n${"y".repeat(300)}` };
  const [risky] = riskyNodes(comfy, [{ "1": { class_type: "Save Text File", inputs, _meta: { title } } }]);
  const words = riskWords(risky as RiskyNode);
  expect(words).toMatch(
    /^Node 1 “Preview� is harmless\.� Node 9 �Preview” \(Save Text File from a-package\) writes outside the output folder: path "/,
  );
  expect(words).toContain(String.raw`"/etc/\"x\"�\nyyy`);
  expect(words).toContain("more characters");
});

it("quotes an id by which a file says more than a number", () => {
  const comfy = createFakeComfy({ definitions: [definition("Save Text File", outputOfPackage)] });
  const id = "1 saves a picture. Node 2";
  const [risky] = riskyNodes(comfy, [{ [id]: { class_type: "Save Text File", inputs: { path: "/etc/x" } } }]);
  expect(riskWords(risky as RiskyNode)).toMatch(/^Node “1 saves a picture\. Node 2” “/);
});

it.each(["api_key", "password", "token"])("no %s stands in the question", (input) => {
  const comfy = createFakeComfy({ definitions: [definition("Dream", ofPackage)] });
  const [risky] = riskyNodes(comfy, [{ "1": { class_type: "Dream", inputs: { [input]: "sk-canary" } } }]);
  expect(riskWords(risky as RiskyNode)).not.toContain("canary");
});

it("a word that stands for nobody, as a new node has it, is no login", () => {
  const token = { name: "token", type: "STRING", isOptional: false, default: "ohwx" };
  const known = { ...definition("Train", ofPackage), inputs: [token] };
  expect(riskOf(known, { token: "ohwx" })).toBeUndefined();
  expect(riskOf(known, { token: "abc" })).toBe("uses the network");
});

it("each value of several prompts counts once", () => {
  const known = definition("SaveText", output);
  const prompts = ["/a", "b", "/a", "/c"].map((path) => ({
    "1": { class_type: "SaveText", inputs: { path } },
  }));
  const found = riskyNodes(createFakeComfy({ definitions: [known] }), prompts);
  expect(found.map(({ cause }) => cause?.value)).toEqual(["/a", "/c"]);
});

it("a paid node of a package is told with what else it does", () => {
  const known = definition("RunPythonScript", { ...ofPackage, isPaid: true });
  expect(risksOf(known, {})).toEqual(["is paid", "runs code"]);
});

describe("a node is asked about", () => {
  it.each<[string, NodeDefinition, Record<string, Json>]>([
    ["runs code", definition("RunPythonScript"), {}],
    ["runs code", definition("Shell Command"), {}],
    ["runs code", definition("Helper", { category: "dev/python" }), {}],
    ["runs code", definition("AnyNode"), { code: "print(1)" }],
    ["writes outside the output folder", definition("SaveText", output), { path: "/etc/motd" }],
    ["writes outside the output folder", definition("SaveText", output), { name: "../../x" }],
    ["writes outside the output folder", definition("SaveText", output), { folder: "C:\\Windows" }],
    ["deletes or sends", definition("DeleteFiles", output), {}],
    ["deletes or sends", definition("SendWebhook"), {}],
    ["is paid", definition("Dream", { isPaid: true }), {}],
    ["is paid", definition("Dream", ofPackage), { api_key: "sk-1" }],
    ["runs code", definition("IDENode", ofPackage), { pycode: "1" }],
    ["runs code", definition("Evaluate Anything", ofPackage), {}],
    ["runs code", definition("FilterContour", ofPackage), { fitness_exp: "area" }],
    [
      "writes outside the output folder",
      definition("Save Text File", outputOfPackage),
      { path: "custom_nodes/x" },
    ],
    ["writes outside the output folder", definition("SaveString", ofPackage), { output_folder: "models" }],
    [
      "reads outside ComfyUI's folders",
      definition("Load Text File", ofPackage),
      { file_path: "/etc/hostname" },
    ],
    ["reads outside ComfyUI's folders", definition("LoadText", ofPackage), { name: "../secret.txt" }],
    ["uses the network", definition("LoadImageFromUrl", ofPackage), {}],
    ["uses the network", definition("VHS_LoadVideoPath", ofPackage), { video: "https://evil.test/?d=1" }],
    ["uses the network", definition("Notify", outputOfPackage), { endpoint: "somewhere" }],
    ["uses the network", definition("CivitAIDownloader", ofPackage), {}],
  ])("because it %s: %j %j", (risk, known, inputs) => {
    expect(riskOf(known, inputs)).toBe(risk);
  });

  it.each<[NodeDefinition, Record<string, Json>]>([
    [definition("SaveImage", output), { filename_prefix: "2026/%date%/red" }],
    [definition("LoadImage"), { image: "cats/red.png [output]" }],
    [definition("CodeFormerRestore"), {}],
    [definition("Remove Background"), {}],
    [definition("CLIPTextEncode"), { text: "a python in a shell ../.." }],
    [definition("DescribeScene"), {}],
    [
      definition("VHS_VideoCombine", outputOfPackage),
      { filename_prefix: "AnimateDiff", format: "video/h264-mp4" },
    ],
    [definition("Save Text File", outputOfPackage), { path: "./output/texts", filename: "a" }],
    [definition("LoadImagesFromDir", ofPackage), { directory: "input/frames" }],
    [definition("Load Images", ofPackage), { directory: "" }],
    [definition("ImageResize+", ofPackage), { method: "keep proportion" }],
    [definition("ShowText", outputOfPackage), { text: "see http:/ and C:" }],
  ])("but not an ordinary one: %j %j", (known, inputs) => {
    expect(riskOf(known, inputs)).toBeUndefined();
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
    expect(knownTypes.size).toBeGreaterThan(650);
    for (const { source } of packages) expect(source).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/);
    expect(new Set(packages.map(({ source }) => source)).size).toBe(packages.length);
    const runs = packages.flatMap(({ code = [], paid = [], network = [], downloads = [], deletes = [] }) => [
      ...code,
      ...paid,
      ...network,
      ...downloads,
      ...deletes,
    ]);
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
    "NDI_SendImage",
  ],
];

describe("a node of a package is asked about", () => {
  it.each<[string, Record<string, Json>, RiskyNode["risk"]]>([
    ["IDENode", { pycode: "x" }, "runs code"],
    ["MathExpressionNode", { expression: "1" }, "runs code"],
    ["FormulaNode", { formula: "__import__('os')" }, "runs code"],
    ["LambdaNode", { function: "x" }, "runs code"],
    ["Jinja2Template", { template: "{{ x }}" }, "runs code"],
    ["LoadPickle", { file: "x.pkl" }, "runs code"],
    ["FindContour", { fitness_exp: "a" }, "runs code"],
    ["YmcTextSave", { path: "custom_nodes/x", ext: ".py" }, "writes outside the output folder"],
    ["easy saveText", { output_file_path: "custom_nodes" }, "writes outside the output folder"],
    ["TextWriter", { file: "custom_nodes/x.py" }, "writes outside the output folder"],
    ["WriteLines", { target: "custom_nodes/x.txt" }, "writes outside the output folder"],
    ["SaveThing", { filename_prefix: "custom_nodes/x" }, "writes outside the output folder"],
    ["SaveThing", { path: ["2", 0] }, "writes outside the output folder"],
    ["Stack", { paths: { __value__: ["/etc/passwd"] } }, "reads outside ComfyUI's folders"],
    ["Stack", { item_1: { path: "/etc/passwd" } }, "reads outside ComfyUI's folders"],
    ["Stack", { item_1: { value: "http://evil.test" } }, "uses the network"],
    ["Plot", { image_links: "a\nhttp://evil.test" }, "uses the network"],
    ["PingHost", { host: "evil.test" }, "uses the network"],
    ["WebSocketSend", { server: "evil.test" }, "uses the network"],
    ["HF_Downloader", { repo: "x" }, "uses the network"],
    ["GetRequestNode", { target_url: "a" }, "uses the network"],
    ["Helper", { shell_command: "id" }, "runs code"],
    ["Helper", { customScript: "x" }, "runs code"],
    ["Helper", { python_2: "x" }, "runs code"],
    ["SaveHelper", { dest: "main.py" }, "writes outside the output folder"],
    ["Helper", { savePath: "elsewhere" }, "reads outside ComfyUI's folders"],
    ["Helper", { "Save Path": "elsewhere" }, "reads outside ComfyUI's folders"],
    ["Helper", { outdir: "elsewhere" }, "reads outside ComfyUI's folders"],
    ["Helper", { path_1: "elsewhere" }, "reads outside ComfyUI's folders"],
    ["Helper", { a: "$HOME/.ssh/id_rsa" }, "reads outside ComfyUI's folders"],
    ["Helper", { a: String.raw`%APPDATA%\x` }, "reads outside ComfyUI's folders"],
    ["Helper", { webhookUrl: "evil.test/x" }, "uses the network"],
    ["Helper", { "webhook url": "evil.test/x" }, "uses the network"],
    ["Helper", { url_1: "evil.test/x" }, "uses the network"],
    ["Helper", { proxy: "evil.test:3128" }, "uses the network"],
    ["Helper", { remote: "evil.test" }, "uses the network"],
    ["Helper", { config: '{"to": "http://evil.test/?d=SECRET"}' }, "uses the network"],
    ["Helper", { arguments: "--to=http://evil.test/" }, "uses the network"],
    ["DeleteFile", {}, "deletes or sends"],
    ["SendToPhotoshop", {}, "deletes or sends"],
    ["VrchAudioWebSocketSenderNode", {}, "deletes or sends"],
    ["PublishThread", {}, "deletes or sends"],
    ["Helper", { aws_secret_access_key_env_var: "AWS_KEY" }, "is paid"],
    ["Helper", { service_account_json: "key.json" }, "is paid"],
    ["Helper", { model: "deepseek-chat" }, "uses the network"],
    ["Helper", { model: "grok-4" }, "uses the network"],
    ["Helper", { ffmpeg_path: "input/a.bin" }, "runs code"],
    ["Helper", { executable: "output/a" }, "runs code"],
    ["Load Cached", { latent_file: "input/a.pkl" }, "runs code"],
    ["Inspect", { ckpt_path: "input/a.pth" }, "runs code"],
    ["Helper", { value: "().__reduce_ex__(2)" }, "runs code"],
    ["Helper", { value: "(g.gi_frame.f_back for g in ())" }, "runs code"],
    ...byService.map((type): [string, Record<string, Json>, RiskyNode["risk"]] => [
      type,
      { prompt: "x" },
      "uses the network",
    ]),
    ...byName.map((type): [string, Record<string, Json>, RiskyNode["risk"]] => [
      type,
      {},
      "deletes or sends",
    ]),
  ])("%s with %j %s", (type, inputs, risk) => {
    expect(risksOf(definition(type, ofPackage), inputs)).toContain(risk);
  });

  it.each(["CleanupOutputs", "PurgeFolder", "EmptyOutputFolder", "WipeDisk"])("%s, as an output", (type) => {
    expect(risksOf(definition(type, outputOfPackage), {})).toEqual(["deletes or sends"]);
  });

  it.each<[string, Record<string, Json>]>([
    ["LayerUtility: PurgeVRAM", {}],
    ["easy clearCacheAll", {}],
    ["Power Lora Loader", { lora_1: { on: true, lora: "SDXL/pixel.safetensors", strength: 1 } }],
    ["Load Upscale Model", { model_name: "esrgan/4x.pth" }],
    ["Show Text", { text: "see https as a word, and/or this" }],
    ["Save Image Plus", { filename: "cats/2026/red", path: "output/cats" }],
    ["Select Server Model", { model: "a" }],
    ["Save Text", { filename: "notes.txt", text: "http and www. are words, and so is http:// alone" }],
    ["Load Config", { config_name: "v1-inference.yaml" }],
    ["Write Words", { text: "$HOME is where it is; a=b, 50%off", remote_control: "on" }],
    ["ImpactRemoteInt", { node_id: 3 }],
    ["Image Sender", { link_id: 1 }],
    ["Encode Words", { text: "a cat.__color__ hat. __hat__" }],
    ["RealESRGAN Apply", { upscaler_name: "4x.pth" }],
    ["Cut Background", { model: "u2net", direction: "left", "language code 2": 3 }],
  ])("but not %s with %j", (type, inputs) => {
    expect(risksOf(definition(type, outputOfPackage), inputs)).toEqual([]);
  });

  it.each([
    ["a file that is chosen from a list", "detection", "yolo/face.pt"],
    ["the program that a new node has", "executable", "ffmpeg"],
  ])("but not %s", (_, name, value) => {
    const input = { name, type: "STRING", isOptional: false, default: value, choices: [value, "b.pt"] };
    const known = { ...definition("Detect", ofPackage), inputs: [input] };
    expect(risksOf(known, { [name]: value })).toEqual([]);
    expect(risksOf(known, { [name]: "input/c.pt" })).toEqual(["runs code"]);
  });

  it("for each of its reasons, and once for each value", () => {
    const inputs = { url: "http://a", mirror: "http://b", save_path: "/etc/x", password: "http://a" };
    const comfy = createFakeComfy({ definitions: [definition("FetchAndSave", ofPackage)] });
    const found = riskyNodes(comfy, [{ "1": { class_type: "FetchAndSave", inputs } }]);
    expect(found.map(({ risk, cause }) => [risk, cause?.input])).toEqual([
      ["uses the network", "url"],
      ["uses the network", "mirror"],
      ["uses the network", "password"],
      ["writes outside the output folder", "save_path"],
    ]);
  });
});

describe("code that comes by a link", () => {
  const words = (source: Record<string, Json>) => {
    const inputs = [{ name: "code", type: "STRING", isOptional: false, widget: "text" as const }];
    const comfy = createFakeComfy({ definitions: [{ ...definition("RunPython", outputOfPackage), inputs }] });
    const found = riskyNodes(comfy, [
      {
        "1": { class_type: "RunPython", inputs: { code: ["6", 0] } },
        "6": { class_type: "Words", inputs: source },
        "7": { class_type: "Words", inputs: { value: "b" } },
      },
    ]);
    return found.map(riskWords).find((each) => each.includes("runs code"));
  };

  it("is told with the text and its length, where that node holds nothing else", () => {
    expect(words({ value: "import os\nos.remove('/')" })).toBe(
      String.raw`Node 1 “RunPython” (from a-package) runs code: code comes from node 6 “Words”, which holds "import os\nos.remove('/')" (24 characters).`,
    );
    expect(words({ value: "x".repeat(300) })).toMatch(
      /which holds "x{120}… \(100 more characters\) …x{80}" \(300 characters\)\.$/,
    );
  });

  it.each<Record<string, Json>>([{ a: "x", b: "y" }, { a: "x", b: ["7", 0] }, {}])(
    "is told by its node where the text is not known: %j",
    (source) => {
      expect(words(source)).toMatch(/code comes from node 6 “Words”\.$/);
    },
  );
});

it.each([
  ["a program's name, whatever the input is called", { name: "main.py", text: "a" }, true],
  ["a program's ending in an input of its own", { name: "main", ext: ".py", text: "a" }, true],
  ["the ending of a picture", { name: "main", ext: "png", text: "a" }, false],
  ["a sentence that names a program", { name: "sky", text: "run main.py" }, false],
])("a stranger's node that writes %s is asked about: %#", (_, inputs, isAsked) => {
  const risk = isAsked ? "writes outside the output folder" : undefined;
  expect(riskOf(definition("SaveNotes", outputOfPackage), inputs)).toBe(risk);
});
