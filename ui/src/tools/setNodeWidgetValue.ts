import { z } from "zod";
import { laterPart } from "./laterPart";
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
  run: async (args, comfy, context) =>
    (await laterPart(import("./edit/calls"))).setNodeWidgetValue(args, comfy, context),
  label: ({ node, widget }) =>
    node === undefined || widget === undefined ? "Set a value" : `Set ${widget} of node ${node}`,
});
