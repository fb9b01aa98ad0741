import { z } from "zod";
import { cut } from "../graph/compact";
import { textArgument, valueArgument } from "./arguments";
import { nodeAfterEdit, nodeName, nodeReferred, whereabouts, widgetReferred } from "./references";
import { defineTool, ToolError } from "./tool";
import { widgetValue } from "./widgetValue";

export const setNodeWidgetValue = defineTool({
  name: "setNodeWidgetValue",
  description: "Set the value of a widget of a node.",
  input: z.object({
    node: textArgument("Node id."),
    widget: textArgument("Widget name."),
    value: valueArgument("New value; numbers and true/false may be written as text."),
  }),
  run({ node: reference, widget: name, value: written }, comfy) {
    const graph = comfy.graph();
    const node = nodeReferred(graph, reference);
    const widget = widgetReferred(node, name);
    const value = widgetValue(widget, written);
    comfy.edit((editor) => editor.setWidget(node.id, widget.name, value));

    const after = nodeAfterEdit(comfy, node.id);
    const kept = widgetReferred(after, widget.name).value;
    const wanted = JSON.stringify(value);
    const found = JSON.stringify(kept);
    if (found !== wanted && found === JSON.stringify(widget.value))
      throw new ToolError(`ComfyUI kept ${widget.name} of ${nodeName(node)} at ${cut(found, 200)}.`);
    const source = after.inputs.find((input) => input.name === widget.name)?.linkedFrom;
    const notes = [
      ...(found === wanted ? [] : [` ComfyUI made it of ${cut(wanted, 100)}.`]),
      ...(source ? [` It has no effect while ${source.node}.${source.name} is connected to it.`] : []),
    ];
    return {
      ok: true,
      summary: `Set ${widget.name} of ${nodeName(node)} to ${cut(found, 100)}${whereabouts(graph.scope)}.${notes.join("")}`,
      data: { node: node.id, widget: widget.name, value: kept, previous: widget.value },
    };
  },
  label: ({ node, widget }) =>
    node === undefined || widget === undefined ? "Set a value" : `Set ${widget} of node ${node}`,
});
