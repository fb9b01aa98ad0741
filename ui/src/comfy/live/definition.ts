/** ComfyUI's description of a node type, as its frontend holds it, read into our own form. */

import { z } from "zod";
import type { Choice, WidgetKind } from "../../graph/graph";
import type { InputDefinition, NodeDefinition } from "../bridge";
import { choicesOf, jsonOf } from "./values";

const inputSchema = z.looseObject({
  type: z.union([z.string(), z.number()]).transform(String),
  isOptional: z.boolean().optional(),
  options: z.unknown().optional(),
  default: z.unknown().optional(),
  min: z.number().optional().catch(undefined),
  max: z.number().optional().catch(undefined),
  step: z.number().optional().catch(undefined),
  display: z.string().optional().catch(undefined),
  forceInput: z.boolean().optional().catch(undefined),
});

const definitionSchema = z.looseObject({
  display_name: z.string().optional().catch(undefined),
  category: z.string().catch(""),
  description: z.string().optional().catch(undefined),
  output_node: z.boolean().catch(false),
  inputs: z.record(z.string(), inputSchema).catch({}),
  outputs: z.array(z.looseObject({ name: z.string(), type: z.string() })).catch([]),
});

const widgetKinds: Record<string, WidgetKind> = {
  INT: "integer",
  FLOAT: "number",
  STRING: "text",
  BOOLEAN: "boolean",
  COMBO: "choice",
  COLOR: "color",
};

export function readDefinition(type: string, title: string, nodeData: unknown): NodeDefinition | undefined {
  const parsed = definitionSchema.safeParse(nodeData);
  if (!parsed.success) return undefined;
  const { display_name, category, description, output_node, inputs, outputs } = parsed.data;
  return {
    type,
    title: display_name || title || type,
    category,
    description: description ?? "",
    isOutput: output_node,
    inputs: Object.entries(inputs).map(([name, input]) => readInput(name, input)),
    outputs: outputs.map((output) => ({ name: output.name, type: output.type })),
  };
}

/** The kind of widget that an input type asks for; undefined where only a link can feed it. */
export function widgetKind(inputType: string): WidgetKind | undefined {
  return widgetKinds[inputType];
}

function readInput(name: string, input: z.infer<typeof inputSchema>): InputDefinition {
  const widget = input.forceInput ? undefined : widgetKind(input.type);
  const choices: readonly Choice[] | undefined =
    input.type === "COMBO" ? choicesOf(input.options) : undefined;
  return {
    name,
    type: input.type,
    isOptional: input.isOptional ?? false,
    ...(widget && { widget }),
    ...(widget === "integer" && input.display === "color" && { isColor: true }),
    ...(choices && { choices }),
    ...(input.default !== undefined && { default: jsonOf(input.default) }),
    ...(input.min !== undefined && { min: input.min }),
    ...(input.max !== undefined && { max: input.max }),
    ...(input.step !== undefined && { step: input.step }),
  };
}
