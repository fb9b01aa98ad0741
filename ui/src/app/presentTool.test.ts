import { expect, it } from "vitest";
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
