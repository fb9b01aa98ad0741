import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { NodeDefinition } from "../../comfy/bridge";
import { createFakeComfy } from "../../comfy/fake";
import type { Json } from "../../graph/graph";
import packages from "./nodeEffects.json";
import { knownTypes, type RiskyNode, riskWords, riskyNodes, sameRisks } from "./riskyNodes";

const definition = (
  type: string,
  { category = "test", isOutput = false, origin }: Partial<NodeDefinition> = {},
): NodeDefinition => ({
  type,
  title: type,
  category,
  description: "",
  isOutput,
  ...(origin !== undefined && { origin }),
  inputs: [],
  outputs: [],
});

const coreNodes: Record<string, { display_name?: string; category?: string }> = JSON.parse(
  readFileSync(new URL("../../../../tests/fixtures/core_nodes.json", import.meta.url), "utf8"),
);

const output = { isOutput: true };
const ofPackage = { origin: "a-package" };
const outputOfPackage = { ...output, ...ofPackage };

function riskOf(known: NodeDefinition, inputs: Record<string, Json> = {}): string | undefined {
  const comfy = createFakeComfy({ definitions: [known] });
  return riskyNodes(comfy, { "1": { class_type: known.type, inputs } })[0]?.risk;
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
  const [risky] = riskyNodes(comfy, { "1": { class_type: "Save Text File", inputs, _meta: { title } } });
  const words = riskWords(risky as RiskyNode);
  expect(words).toMatch(
    /^Node 1 “Preview� is harmless\.� Node 9 �Preview” \(Save Text File from a-package\) writes outside the output folder: path "/,
  );
  expect(words).toContain(String.raw`"/etc/\"x\"�\nyyy`);
  expect(words).toContain("more characters");
});

it("no key stands in the question", () => {
  const comfy = createFakeComfy({ definitions: [definition("Dream", ofPackage)] });
  const [risky] = riskyNodes(comfy, { "1": { class_type: "Dream", inputs: { api_key: "sk-canary" } } });
  expect(riskWords(risky as RiskyNode)).not.toContain("canary");
});

it("each value of several prompts counts once", () => {
  const known = definition("SaveText", output);
  const prompts = ["/a", "b", "/a", "/c"].map((path) => ({
    "1": { class_type: "SaveText", inputs: { path } },
  }));
  const found = riskyNodes(createFakeComfy({ definitions: [known] }), ...prompts);
  expect(found.map(({ cause }) => cause?.value)).toEqual(["/a", "/c"]);
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
    ["is paid", definition("Dream", { category: "api node/image/Dream" }), {}],
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
    [definition("LoadImage"), { image: "/absolute/only/read.png" }],
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
    const prompt = Object.keys(coreNodes).map((type) => [type, { class_type: type, inputs: {} }]);
    expect(prompt.length).toBeGreaterThan(400);
    expect(riskyNodes(comfy, Object.fromEntries(prompt))).toEqual([]);
  });
});

describe("the table of packages", () => {
  it("names at least 500 types, each package with its source, and none of ComfyUI's own", () => {
    expect(knownTypes.size).toBeGreaterThan(500);
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
  ])("%s %s, whatever its values", (type, risk) => {
    expect(riskOf(definition(type, ofPackage))).toBe(risk);
  });

  it.each([
    ["CR Load Flow Frames", { input_path: "models" }, "reads outside ComfyUI's folders"],
    ["CR Load Flow Frames", { input_path: "input/frames" }, undefined],
    ["CR Load Flow Frames", { input_path: "input/../../etc" }, "reads outside ComfyUI's folders"],
    ["SpeedChange", { suffix: "models" }, undefined],
    ["IF_LoadImagesS", { input_path: ["4", 0] }, undefined],
    ["FL_LoadCSV", { csv_path: "" }, undefined],
  ])("%s with %j %s", (type, inputs: Record<string, Json>, risk) => {
    expect(riskOf(definition(type, ofPackage), inputs)).toBe(risk);
  });
});

it("names what may be allowed for a chat by node, type and value, but neither code nor money nor deletion", () => {
  const node = { node: "1", title: "A", type: "LoadImageUrl" };
  const fetched: RiskyNode = {
    ...node,
    risk: "uses the network",
    cause: { input: "url", value: "http://a" },
  };
  const other: RiskyNode = { ...fetched, cause: { input: "url", value: "http://b" } };
  expect(sameRisks([fetched])).toBe(sameRisks([{ ...fetched, title: "B" }]));
  expect(sameRisks([fetched])).not.toBe(sameRisks([other]));
  expect(sameRisks([fetched])).not.toBe(sameRisks([{ ...fetched, node: "2" }]));
  for (const risk of ["runs code", "is paid", "deletes or sends"] as const)
    expect(sameRisks([fetched, { ...node, risk }])).toBeUndefined();
});
