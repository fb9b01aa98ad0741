/** ComfyUI's description of a node type, as its frontend holds it, read into our own form. */

import { z } from "zod";
import type { NodeDefinition } from "../../bridge";
import { possibleInputs } from "../../inputsInForce";
import { inputInPageForm, inputSchema, matchedType, readInput, sectionsSchema } from "./inputDefinition";

const definitionSchema = z.looseObject({
  display_name: z.string().optional().catch(undefined),
  category: z.string().catch(""),
  description: z.string().optional().catch(undefined),
  output_node: z.boolean().catch(false),
  deprecated: z.boolean().catch(false),
  api_node: z.boolean().catch(false),
  python_module: z.string().catch(""),
  inputs: z.record(z.string(), inputSchema).catch({}),
  outputs: z.array(z.looseObject({ name: z.string(), type: z.string() })).catch([]),
  output_matchtypes: z.array(z.string().nullable()).nullish().catch(undefined),
});

/** Types that a pack registers by itself may have the definition as the server sends it, in place of the page's own form. */
const serverSchema = z.looseObject({
  input: sectionsSchema,
  output: z.array(z.unknown()).catch([]),
  output_name: z.array(z.unknown()).catch([]),
});

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
  const declared = Object.entries(inputs).map(([name, input]) => readInput(name, input));
  return {
    type,
    title: display_name || title || type,
    category,
    description: description ?? "",
    isOutput: output_node,
    ...(parsed.data.deprecated && { isDeprecated: true }),
    ...((parsed.data.api_node || python_module.startsWith("comfy_api_nodes.")) && { isPaid: true }),
    ...(origin !== undefined && { origin }),
    inputs: declared,
    outputs: outputs.map(({ name, type }, index) => {
      const match = type === matchedType ? parsed.data.output_matchtypes?.[index] : undefined;
      const allowed = possibleInputs({ inputs: declared }).find(
        (input) => match && input.match === match,
      )?.type;
      return match && allowed !== undefined ? { name, type: allowed, match } : { name, type };
    }),
  };
}

/** Undefined for ComfyUI's own; empty where nothing says whose it is. */
function packageOf(module: string): string | undefined {
  if (/^(?:nodes|comfy_extras\..+|comfy_api_nodes\..+)$/.test(module)) return undefined;
  return /^custom_nodes\.(.+)/.exec(module)?.[1] ?? "";
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
