import labels from "../../../contract/serverTools.json";
import type { ToolPresentation } from "../chat/chatContext";
import type { Tool, ToolResult } from "../tools/tool";

/** By their names. The server's tools run in Python, and say there what a person reads of a call. */
const serverToolLabels: Readonly<Record<string, string>> = labels;

/** How any tool shows itself: by its own declaration, on whichever side it runs, or by its name in words. */
export function createToolPresenter(tools: readonly Tool[]): (name: string) => ToolPresentation {
  const byName = new Map(tools.map((tool) => [tool.name, presented(tool)]));
  return (name) =>
    byName.get(name) ?? { label: (args) => filledIn(serverToolLabels[name], args) ?? inWords(name) };
}

/** "List models {query|folder}" quotes the first of these arguments that the call has. */
function filledIn(label: string | undefined, args: Record<string, unknown>): string | undefined {
  return label?.replaceAll(/ \{([\w|]+)\}/g, (_, names: string) => {
    const words = names.split("|").map((name) => inOneLine(args[name]));
    const given = words.find((word) => word !== "");
    return given === undefined ? "" : ` “${given}”`;
  });
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : "";
}

function presented(tool: Tool): ToolPresentation {
  const { render, outcome } = tool;
  return {
    label: (args) => tool.label(args),
    ...(outcome && {
      outcome: (result) => (isResult(result) && result.ok ? outcome(result.data) : undefined),
    }),
    ...(render && {
      render: ({ args, result, freeMemory }) =>
        render({ args, freeMemory, ...(isResult(result) && { result }) }),
    }),
  };
}

function isResult(value: unknown): value is ToolResult {
  return typeof value === "object" && value !== null && "ok" in value;
}

/** "getNodeInfo" as "Get node info". */
function inWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
