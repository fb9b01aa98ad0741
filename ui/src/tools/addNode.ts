import { z } from "zod";
import type { Comfy } from "../comfy/bridge";
import type { GraphNode, Json, NodeId } from "../graph/graph";
import { textArgument, valuesArgument } from "./arguments";
import { closest } from "./closest";
import { nodeReferred, slotWords, whereabouts, widgetReferred } from "./references";
import { defineTool, ToolError } from "./tool";
import { widgetValue } from "./widgetValue";

export const addNode = defineTool({
  name: "addNode",
  description: "Add a node to the open workflow. Returns its id, inputs, outputs and widgets.",
  input: z.object({
    type: textArgument("Exact node type, for example KSampler."),
    widgets: valuesArgument('Values by widget name, for example {"steps": 20}.').optional(),
    title: textArgument("Own title.").optional(),
    position: z.object({ x: z.coerce.number(), y: z.coerce.number() }).optional(),
  }),
  run({ type: wanted, widgets = {}, title, position }, comfy) {
    const type = installedType(comfy, wanted);
    const { id, notes } = comfy.edit((editor) => {
      const added = editor.addNode(type, {
        ...(title !== undefined && { title }),
        ...(position && { position }),
      });
      try {
        const set = Object.entries(widgets).flatMap(([name, written]) =>
          setWidgetOf(comfy, added, name, written, (widget, value) => editor.setWidget(added, widget, value)),
        );
        return { id: added, notes: set };
      } catch (error) {
        editor.removeNode(added);
        if (error instanceof ToolError)
          throw new ToolError(`No node was added: ${error.message}`, error.hint);
        throw error;
      }
    });
    const graph = comfy.graph();
    const node = nodeReferred(graph, id);
    const given = node.widgets.filter(({ name }) =>
      Object.keys(widgets).some((key) => key.trim().toLowerCase() === name.toLowerCase()),
    );
    const values = given.map(({ name, value }) => `${name}=${JSON.stringify(value)}`).join(", ");
    return {
      ok: true,
      summary: `Added ${type} as node ${id}${values && ` with ${values}`}${whereabouts(graph)}.${notes.map((note) => ` ${note}`).join("")}`,
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

/** What ComfyUI made of the value, if it is not what was asked for. */
function setWidgetOf(
  comfy: Comfy,
  id: NodeId,
  name: string,
  written: Json,
  set: (widget: string, value: Json) => void,
): string[] {
  const widget = widgetReferred(nodeReferred(comfy.graph(), id), name);
  const value = widgetValue(widget, written);
  set(widget.name, value);
  const kept = widgetReferred(nodeReferred(comfy.graph(), id), widget.name).value;
  return JSON.stringify(kept) === JSON.stringify(value)
    ? []
    : [`ComfyUI made ${JSON.stringify(kept)} of ${JSON.stringify(value)} for ${widget.name}.`];
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
