import { expect, it } from "vitest";
import { createToolPresenter } from "./presentTool";

const present = createToolPresenter([]);

it.each([
  ["searchInstalledNodes", { query: "upscale" }, "Search installed nodes “upscale”"],
  ["searchInstalledNodes", {}, "Search installed nodes"],
  ["somethingNew", {}, "Something new"],
  ["mcp_read-file", {}, "Mcp read file"],
])("names %s with %j", (name, args, label) => {
  expect(present(name).label(args)).toBe(label);
});
