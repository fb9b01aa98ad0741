import type { Comfy } from "../../../comfy/bridge";
import type { GraphNode, Json, Point } from "../../../graph/graph";
import { nodeAfterEdit, slotWords, whereabouts } from "../../read/references";
import { type ToolContext, ToolError, type ToolResult } from "../../tool";
import { type BatchDone, runBatch } from "../batch";
import { blankNodeMeant } from "../installedType";
import { add } from "../operations/add";
import type { Values } from "../operations/set";
import { toldOf } from "../summary";
import { outcomeData } from "./outcomeData";

interface Arguments {
  type: string;
  widgets?: Values | undefined;
  title?: string | undefined;
  position?: Point | undefined;
}

export async function addNode(
  { type: wanted, widgets = {}, title, position }: Arguments,
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
  const { type } = blankNodeMeant(comfy, wanted);
  const done = await addTo(comfy, { type, widgets, title, position }, context);
  const node = nodeAfterEdit(comfy, done.added[0]?.node ?? "");
  const set = new Set(Object.keys(widgets).map((name) => name.toLowerCase()));
  const values = node.widgets
    .filter(({ name }) => set.has(name.toLowerCase()))
    .map(({ name, value }) => `${name}=${JSON.stringify(value)}`)
    .join(", ");
  const changed = done.adjusted.map(
    ({ widget, asked, kept }) =>
      ` ComfyUI made ${JSON.stringify(kept)} of ${JSON.stringify(asked)} for ${widget}.`,
  );
  const { summary, told } = toldOf(done, {
    sentence: `Added ${type} as node ${node.id}${values && ` with ${values}`}${whereabouts(comfy)}`,
    tells: (change) => change.kind === "added" && change.node === node.id,
    fields: [],
  });
  return {
    ok: true,
    summary: `${summary}${changed.join("")}`,
    told,
    data: { ...nodeData(node), ...outcomeData(done) },
  };
}

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
