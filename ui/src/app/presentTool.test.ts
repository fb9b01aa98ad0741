import { expect, it } from "vitest";
import { getWorkflowInfo } from "../tools/getWorkflowInfo";
import type { Tool } from "../tools/tool";
import { createToolPresenter } from "./presentTool";

const present = createToolPresenter([]);

it.each([
  ["searchInstalledNodes", { query: "upscale" }, "Search installed nodes “upscale”"],
  ["searchInstalledNodes", {}, "Search installed nodes"],
  ["getNodeInfo", { types: ["KSampler", "VAEDecode"] }, "Look up node “KSampler, VAEDecode”"],
  ["getNodeInfo", { types: "KSampler" }, "Look up node “KSampler”"],
  ["getAvailableModels", { folder: "loras", query: "detail" }, "List models “detail”"],
  ["getAvailableModels", { folder: "loras" }, "List models “loras”"],
  ["getTemplate", { name: "flux_dev" }, "Look up template “flux_dev”"],
  ["getAvailableModels", {}, "List models"],
  ["getSystemSkill", { slug: "flux" }, "Read skill “flux”"],
  ["refreshEnvironment", {}, "Look again at what is installed"],
  ["somethingNew", {}, "Something new"],
  ["mcp_read-file", {}, "Mcp read file"],
])("names %s with %j", (name, args, label) => {
  expect(present(name).label(args)).toBe(label);
});

it("says of a reading what a person can use", () => {
  const { outcome } = createToolPresenter([getWorkflowInfo as Tool])("getWorkflowInfo");
  const data = { workflow: "Test", nodes: 12, links: 1, revision: "0a1b2c3d", text: "" };
  const summary = 'Read "Test": 12 nodes, 1 links (revision 0a1b2c3d).';
  expect(outcome?.({ ok: true, summary, data })).toBe("“Test”: 12 nodes, 1 link");
  expect(outcome?.({ ok: true, summary, data: {} })).toBeUndefined();
  expect(outcome?.({ ok: false, error: "No." })).toBeUndefined();
});
