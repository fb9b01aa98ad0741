import { z } from "zod";
import { setNodeWidgetValue as carryOut } from "./edit/calls/setNodeWidgetValue";
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
  run: carryOut,
  label: ({ node, widget }) =>
    node === undefined || widget === undefined ? "Set a value" : `Set ${widget} of node ${node}`,
});
