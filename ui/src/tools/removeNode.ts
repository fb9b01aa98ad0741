import { z } from "zod";
import { laterPart } from "./laterPart";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

export const removeNode = defineTool({
  name: "removeNode",
  description: "Remove a node and its links.",
  input: z.object({ node: textArgument("Node id, or its title if unique.") }),
  effect: "edits",
  run: async (args, comfy, context) =>
    (await laterPart(import("./edit/calls"))).removeNode(args, comfy, context),
  label: ({ node }) => `Remove ${node === undefined ? "a node" : `node ${node}`}`,
});
