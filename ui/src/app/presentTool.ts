import type { ToolPresentation } from "../chat/chatContext";
import type { Tool, ToolResult } from "../tools/tool";

type Label = (args: Record<string, unknown>) => string;

const quoted = (value: unknown) => (typeof value === "string" && value ? ` “${value}”` : "");

/** The server's tools run in Python; only their one-line labels are the panel's. */
const serverToolLabels: Record<string, Label> = {
  searchInstalledNodes: ({ query }) => `Search installed nodes${quoted(query)}`,
  getNodeInfo: ({ types }) => `Look up node${quoted(Array.isArray(types) ? types.join(", ") : types)}`,
  getAvailableModels: ({ folder, query }) => `List models${quoted(query ?? folder)}`,
  readDocumentation: ({ node }) => `Read the help page${quoted(node)}`,
  searchTemplates: ({ query }) => `Search templates${quoted(query)}`,
  getTemplate: ({ name }) => `Look up template${quoted(name)}`,
  searchNodeRegistry: ({ query }) => `Search the registry of node packages${quoted(query)}`,
  refreshEnvironment: () => "Look again at what is installed",
  listSystemSkills: () => "List skills",
  getSystemSkill: (args) => `Read skill${quoted(args.slug ?? args.name)}`,
  listUserSkills: () => "List your skills",
  getUserSkill: (args) => `Read your skill${quoted(args.slug ?? args.name)}`,
};

/** How any tool shows itself: by its own declaration, by a label known here, or by its name in words. */
export function createToolPresenter(tools: readonly Tool[]): (name: string) => ToolPresentation {
  const byName = new Map(tools.map((tool) => [tool.name, presented(tool)]));
  return (name) => byName.get(name) ?? { label: serverToolLabels[name] ?? (() => inWords(name)) };
}

function presented(tool: Tool): ToolPresentation {
  const { render } = tool;
  return {
    label: (args) => tool.label(args),
    ...(render && {
      render: ({ args, result }) => render({ args, ...(isResult(result) && { result }) }),
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
