import { z } from "zod";
import { laterPart } from "./laterPart";
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
  run: async (args, comfy, context) =>
    (await laterPart(import("./edit/calls"))).disconnectNodes(args, comfy, context),
  label: ({ toNode, toInput }) =>
    toNode === undefined || toInput === undefined ? "Disconnect an input" : `Disconnect ${toNode}.${toInput}`,
});
