import { z } from "zod";
import { connectNodes as carryOut } from "./edit/calls/connectNodes";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

export const connectNodes = defineTool({
  name: "connectNodes",
  description:
    "Link an output of one node to an input of another, replacing the link there. Slots by name or index; none where only one fits. A widget's name as toInput feeds that widget.",
  input: z.object({
    fromNode: textArgument(),
    fromOutput: textArgument().optional(),
    toNode: textArgument(),
    toInput: textArgument().optional(),
  }),
  effect: "edits",
  run: carryOut,
  label: ({ fromNode, toNode }) =>
    fromNode === undefined || toNode === undefined ? "Connect nodes" : `Connect ${fromNode} to ${toNode}`,
});
