import { z } from "zod";
import { loadCalls } from "./edit/loadCalls";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

export const removeNode = defineTool({
  name: "removeNode",
  description: "Remove a node, joining what passes through it.",
  input: z.object({ node: textArgument("Node id, or its title if unique.") }),
  effect: "edits",
  loads: loadCalls,
  run: async (args, comfy, context) => (await loadCalls()).removeNode(args, comfy, context),
  label: ({ node }) => `Remove ${node === undefined ? "a node" : `node ${node}`}`,
});
