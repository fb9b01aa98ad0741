import { z } from "zod";
import { addNode as carryOut } from "./edit/calls/addNode";
import { defineTool } from "./tool";
import { textArgument, valuesArgument } from "./values/arguments";

export const addNode = defineTool({
  name: "addNode",
  description: "Add a node to the open workflow. Returns its id, inputs, outputs and widgets.",
  input: z.object({
    type: textArgument("Exact node type."),
    widgets: valuesArgument("Values by widget name.").optional(),
    title: textArgument().optional(),
    position: z.object({ x: z.coerce.number(), y: z.coerce.number() }).optional(),
  }),
  effect: "edits",
  run: carryOut,
  label: ({ type }) => `Add ${type ?? "a node"}`,
});
