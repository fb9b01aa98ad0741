import { z } from "zod";
import type { Comfy } from "../comfy/bridge";
import type { GraphInput, GraphNode, Json } from "../graph/graph";
import { inputKey } from "../graph/unwired";
import { blankNodeMeant } from "./edit/installedType";
import { add } from "./edit/operations/add";
import { openInputs } from "./edit/outcome";
import { type BatchDone, outcomeData, runBatch } from "./edit/runBatch";
import { notChosenWords } from "./edit/summary";
import { nodeAfterEdit, slotWords, whereabouts } from "./read/references";
import { defineTool, type ToolContext, ToolError } from "./tool";
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
  async run({ type: wanted, widgets = {}, title, position }, comfy, context) {
    const { type } = blankNodeMeant(comfy, wanted);
    const done = await addTo(comfy, { type, widgets, title, position }, context);
    const { added, adjusted } = done;
    // The summary tells what is open.
    const { stillUnconnected: _, ...outcome } = outcomeData(done);
    const node = nodeAfterEdit(comfy, added[0]?.node ?? "");
    const fed = new Set(done.feeds.map(inputKey));
    const place = comfy.openPlace();
    const open = openInputs(node).filter(
      ({ name }) => !fed.has(inputKey({ place, node: node.id, input: name })),
    );
    const set = new Set(Object.keys(widgets).map((name) => name.toLowerCase()));
    const values = node.widgets
      .filter(({ name }) => set.has(name.toLowerCase()))
      .map(({ name, value }) => `${name}=${JSON.stringify(value)}`)
      .join(", ");
    const changed = adjusted.map(
      ({ widget, asked, kept }) =>
        ` ComfyUI made ${JSON.stringify(kept)} of ${JSON.stringify(asked)} for ${widget}.`,
    );
    return {
      ok: true,
      summary: `Added ${type} as node ${node.id}${values && ` with ${values}`}${whereabouts(comfy)}${loose(node, open)}.${changed.join("")}${notChosenWords(done)}`,
      data: { ...nodeData(node), ...outcome },
    };
  },
  label: ({ type }) => `Add ${type ?? "a node"}`,
});

type AddCall = Parameters<typeof add.with>[0] & { widgets: { [name: string]: Json } };

async function addTo(comfy: Comfy, asked: AddCall, context: ToolContext): Promise<BatchDone> {
  try {
    return await runBatch(comfy, [add.with(asked)], context);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { widget, value } = error.fitting;
    const sendInstead =
      widget !== undefined && value !== undefined && widget in asked.widgets
        ? { ...asked, widgets: { ...asked.widgets, [widget]: value } }
        : undefined;
    throw new ToolError(`No node was added: ${error.message}`, error.hint, error.choicesOf, { sendInstead });
  }
}

/** Small models forget to connect what they add. */
function loose({ outputs }: GraphNode, inputs: readonly GraphInput[]): string {
  const open = [
    ...slots("input", inputs),
    ...slots(
      "output",
      outputs.filter(({ linkedTo }) => linkedTo.length === 0),
    ),
  ];
  return open.length === 0 ? "" : `; not connected yet: ${open.join(", ")}`;
}

function slots(side: string, of: readonly { name: string }[]): string[] {
  return of.length === 0
    ? []
    : [`${side}${of.length === 1 ? "" : "s"} ${of.map(({ name }) => name).join(", ")}`];
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
