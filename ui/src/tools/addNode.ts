import { z } from "zod";
import type { Comfy } from "../comfy/bridge";
import type { GraphNode, Json } from "../graph/graph";
import { textArgument, valuesArgument } from "./arguments";
import { closest } from "./closest";
import { nodeAfterEdit, slotWords, whereabouts, widgetReferred } from "./references";
import { defineTool, ToolError } from "./tool";
import { widgetValue } from "./widgetValue";

export const addNode = defineTool({
  name: "addNode",
  description: "Add a node to the open workflow. Returns its id, inputs, outputs and widgets.",
  input: z.object({
    type: textArgument("Exact node type."),
    widgets: valuesArgument("Values by widget name.").optional(),
    title: textArgument("Own title.").optional(),
    position: z.object({ x: z.coerce.number(), y: z.coerce.number() }).optional(),
  }),
  run({ type: wanted, widgets = {}, title, position }, comfy) {
    const type = installedType(comfy, wanted);
    const asked = new Map<string, Json>();
    const id = comfy.edit((editor) => {
      const added = editor.addNode(type, {
        ...(title !== undefined && { title }),
        ...(position && { position }),
      });
      try {
        for (const [name, written] of Object.entries(widgets)) {
          const widget = widgetReferred(nodeAfterEdit(comfy, added), name);
          const value = widgetValue(widget, written);
          editor.setWidget(added, widget.name, value);
          asked.set(widget.name, value);
        }
        return added;
      } catch (error) {
        editor.removeNode(added);
        if (error instanceof ToolError)
          throw new ToolError(`No node was added: ${error.message}`, error.hint);
        throw error;
      }
    });
    const node = nodeAfterEdit(comfy, id);
    const set = node.widgets.filter(({ name }) => asked.has(name));
    const values = set.map(({ name, value }) => `${name}=${JSON.stringify(value)}`).join(", ");
    const changed = set.flatMap(({ name, value }) => {
      const [kept, wish] = [JSON.stringify(value), JSON.stringify(asked.get(name))];
      return kept === wish ? [] : [` ComfyUI made ${kept} of ${wish} for ${name}.`];
    });
    return {
      ok: true,
      summary: `Added ${type} as node ${id}${values && ` with ${values}`}${whereabouts(comfy.scope())}.${changed.join("")}`,
      data: nodeData(node),
    };
  },
  label: ({ type }) => `Add ${type ?? "a node"}`,
});

function installedType(comfy: Comfy, wanted: string): string {
  const types = comfy.nodeTypes();
  if (types.includes(wanted)) return wanted;
  const titles = new Map(types.map((type) => [type, comfy.nodeDefinition(type)?.title ?? type]));
  const lower = wanted.trim().toLowerCase();
  const meant = types.filter(
    (type) => type.toLowerCase() === lower || titles.get(type)?.toLowerCase() === lower,
  );
  if (meant[0] !== undefined && meant.length === 1) return meant[0];
  const named = new Map([...titles].map(([type, title]) => [title, type]));
  const near = closest(wanted, [...types, ...named.keys()], 6).map((name) => named.get(name) ?? name);
  const candidates = [...new Set([...meant, ...near])].slice(0, 5);
  throw new ToolError(
    `No node type "${wanted}" is installed.`,
    candidates.length > 0
      ? `Closest: ${candidates.join(", ")}. searchInstalledNodes finds others.`
      : "Call searchInstalledNodes to find the exact name.",
  );
}

function nodeData(node: GraphNode): { [key: string]: Json } {
  return {
    id: node.id,
    type: node.type,
    inputs: node.inputs
      .filter((input) => !input.isWidget)
      .map((input) => `${slotWords(input)}${input.isOptional ? " optional" : ""}`),
    outputs: node.outputs.map(slotWords),
    widgets: Object.fromEntries(node.widgets.map(({ name, value }) => [name, value])),
  };
}
