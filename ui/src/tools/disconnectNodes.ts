import { z } from "zod";
import { disconnectNodes as carryOut } from "./edit/calls/disconnectNodes";
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
  run: carryOut,
  label: ({ toNode, toInput }) =>
    toNode === undefined || toInput === undefined ? "Disconnect an input" : `Disconnect ${toNode}.${toInput}`,
});
