/** ComfyUI's description of a node type, as its frontend holds it, read into our own form. */

import { z } from "zod";
import type { Choice, WidgetKind } from "../../../graph/graph";
import type { InputDefinition, NodeDefinition } from "../../bridge";
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
  python_module: z.string().catch(""),
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

/** Types that a pack registers by itself may have the definition as the server sends it, in place of the page's own form. */
const serverSchema = z.looseObject({
  input: z.looseObject({ required: sectionSchema(), optional: sectionSchema() }),
  output: z.array(z.unknown()).catch([]),
  output_name: z.array(z.unknown()).catch([]),
});

function sectionSchema() {
  return z.record(z.string(), z.unknown()).catch({});
}

/** By what the page holds, during one task of the page: a thousand nodes have a few dozen types. */
const known = new Map<unknown, Map<string, NodeDefinition | undefined>>();

export function readDefinition(type: string, title: string, nodeData: unknown): NodeDefinition | undefined {
  if (known.size === 0) queueMicrotask(() => known.clear());
  const ofData = known.get(nodeData) ?? new Map<string, NodeDefinition | undefined>();
  known.set(nodeData, ofData);
  const key = `${type}\n${title}`;
  if (!ofData.has(key)) ofData.set(key, parseDefinition(type, title, nodeData));
  return ofData.get(key);
}

function parseDefinition(type: string, title: string, nodeData: unknown): NodeDefinition | undefined {
  const parsed = definitionSchema.safeParse(inPageForm(nodeData));
  if (!parsed.success) return undefined;
  const { display_name, category, description, output_node, python_module, inputs, outputs } = parsed.data;
  const origin = packageOf(python_module);
  return {
    type,
    title: display_name || title || type,
    category,
    description: description ?? "",
    isOutput: output_node,
    ...(origin !== undefined && { origin }),
    inputs: Object.entries(inputs).map(([name, input]) => readInput(name, input)),
    outputs: outputs.map((output) => ({ name: output.name, type: output.type })),
  };
}

/** Undefined for ComfyUI's own; empty where nothing says whose it is. */
function packageOf(module: string): string | undefined {
  if (/^(?:nodes|comfy_extras\..+|comfy_api_nodes\..+)$/.test(module)) return undefined;
  return /^custom_nodes\.(.+)/.exec(module)?.[1] ?? "";
}

/**
 * Whether ComfyUI runs the node without this input. What no definition names the node has grown by itself, unless it
 * belongs to an input that grows: `images.image0`.
 */
export function isOptionalInput({ inputs }: Pick<NodeDefinition, "inputs">, name: string): boolean {
  const declared = inputs.find((input) => input.name === name);
  return declared?.isOptional ?? !inputs.some((input) => name.startsWith(`${input.name}.`));
}

/** Lists of choices stay the very ones that were registered. */
export function inPageForm(nodeData: unknown): unknown {
  const server = serverSchema.safeParse(nodeData);
  if (!server.success || "inputs" in server.data) return nodeData;
  const { input, output, output_name, ...others } = server.data;
  const inputs = (section: Record<string, unknown>, isOptional: boolean) =>
    Object.entries(section).map(([name, spec]) => [name, { ...inputInPageForm(spec), isOptional }]);
  return {
    ...others,
    inputs: Object.fromEntries([...inputs(input.required, false), ...inputs(input.optional, true)]),
    outputs: output.map((given, index) => {
      const type = Array.isArray(given) ? "COMBO" : String(given);
      const name = output_name[index];
      return { name: typeof name === "string" && name !== "" ? name : type, type };
    }),
  };
}

/** `["INT", {"min": 1}]`, or a list of choices where the type stands. */
function inputInPageForm(spec: unknown): Record<string, unknown> {
  const [type, options] = Array.isArray(spec) ? spec : [spec];
  const more = options !== null && typeof options === "object" ? options : {};
  return Array.isArray(type) ? { ...more, type: "COMBO", options: type } : { ...more, type: String(type) };
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
