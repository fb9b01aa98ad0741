import { z } from "zod";
import { loadCalls } from "./edit/loadCalls";
import { defineTool } from "./tool";
import { textArgument, valueArgument } from "./values/arguments";

export const setNodeWidgetValue = defineTool({
  name: "setNodeWidgetValue",
  description: "Set the value of a widget of a node.",
  input: z.object({
    node: textArgument(),
    widget: textArgument(),
    value: valueArgument("Numbers and true/false may be written as text."),
  }),
  effect: "edits",
  loads: loadCalls,
  run: async (args, comfy, context) => (await loadCalls()).setNodeWidgetValue(args, comfy, context),
  label: ({ node, widget }) =>
    node === undefined || widget === undefined ? "Set a value" : `Set ${widget} of node ${node}`,
});
