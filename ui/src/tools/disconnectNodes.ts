import { z } from "zod";
import { loadCalls } from "./edit/loadCalls";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

export const disconnectNodes = defineTool({
  name: "disconnectNodes",
  description: "Remove the link into an input of a node.",
  input: z.object({
    toNode: textArgument(),
    toInput: textArgument(),
  }),
  effect: "edits",
  loads: loadCalls,
  run: async (args, comfy, context) => (await loadCalls()).disconnectNodes(args, comfy, context),
  label: ({ toNode, toInput }) =>
    toNode === undefined || toInput === undefined ? "Disconnect an input" : `Disconnect ${toNode}.${toInput}`,
});
