import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { NodeDefinition } from "../../comfy/bridge";
import { createFakeComfy } from "../../comfy/fake";
import type { Json } from "../../graph/graph";
import { riskWords, riskyNodes } from "./riskyNodes";

const definition = (
  type: string,
  { category = "test", isOutput = false }: Partial<NodeDefinition> = {},
): NodeDefinition => ({ type, title: type, category, description: "", isOutput, inputs: [], outputs: [] });

const coreNodes: Record<string, { display_name?: string; category?: string }> = JSON.parse(
  readFileSync(new URL("../../../../tests/fixtures/core_nodes.json", import.meta.url), "utf8"),
);

const output = { isOutput: true };

function riskOf(known: NodeDefinition, inputs: Record<string, Json> = {}): string | undefined {
  const comfy = createFakeComfy({ definitions: [known] });
  return riskyNodes(comfy, { "1": { class_type: known.type, inputs } })[0]?.risk;
}

it.each([
  ["$0.06/Run", "Node 12:3 “Dream” is paid: $0.06/Run."],
  [undefined, "Node 12:3 “Dream” is paid."],
])("the price stands in the question: %s", (price, words) => {
  expect(riskWords({ node: "12:3", title: "Dream", risk: "is paid", price })).toBe(words);
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
