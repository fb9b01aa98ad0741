import { z } from "zod";
import { removeNode as carryOut } from "./edit/calls/removeNode";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

export const removeNode = defineTool({
  name: "removeNode",
  description: "Remove a node, joining what passes through it.",
  input: z.object({ node: textArgument("Node id, or its title if unique.") }),
  effect: "edits",
  run: carryOut,
  label: ({ node }) => `Remove ${node === undefined ? "a node" : `node ${node}`}`,
});
