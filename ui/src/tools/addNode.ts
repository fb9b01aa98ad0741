import { z } from "zod";
import { loadCalls } from "./edit/loadCalls";
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
  loads: loadCalls,
  run: async (args, comfy, context) => (await loadCalls()).addNode(args, comfy, context),
  label: ({ type }) => `Add ${type ?? "a node"}`,
});
