/**
 * An input of a node type as the frontend describes it, with what newer kinds of inputs bring along.
 *
 * The form is that of ComfyUI's `comfy_api.latest.io`: DynamicCombo, Autogrow and MatchType, as /object_info sends them.
 */

import { z } from "zod";
import type { Choice, WidgetKind } from "../../../graph/graph";
import type { InputDefinition } from "../../bridge";
import { choicesOf, jsonOf } from "./values";

const section = z.record(z.string(), z.unknown()).catch({});

export const matchedType = "COMFY_MATCHTYPE_V3";

/** Inputs as the server sends them. */
export const sectionsSchema = z.looseObject({ required: section, optional: section });

export const inputSchema = z.looseObject({
  type: z.union([z.string(), z.number()]).transform(String),
  isOptional: z.boolean().optional(),
  options: z.unknown().optional(),
  template: z.unknown().optional(),
  default: z.unknown().optional(),
  min: z.number().optional().catch(undefined),
  max: z.number().optional().catch(undefined),
  step: z.number().optional().catch(undefined),
  display: z.string().optional().catch(undefined),
  forceInput: z.boolean().optional().catch(undefined),
});

type DescribedInput = z.infer<typeof inputSchema>;

const optionsSchema = z.array(z.looseObject({ key: z.string(), inputs: sectionsSchema })).min(1);

/** ComfyUI's own limit of a row. */
const mostGrown = 100;

const growingSchema = z.looseObject({
  input: sectionsSchema,
  names: z.array(z.string()).optional(),
  prefix: z.string().optional(),
  min: z.int().default(1),
  max: z.int().default(mostGrown),
});

const matchSchema = z.looseObject({ template_id: z.string(), allowed_types: z.string() });

const widgetKinds: Record<string, WidgetKind> = {
  INT: "integer",
  FLOAT: "number",
  STRING: "text",
  BOOLEAN: "boolean",
  COMBO: "choice",
  COLOR: "color",
};

/** The kind of widget that an input type asks for; undefined where only a link can feed it. */
export function widgetKind(inputType: string): WidgetKind | undefined {
  return widgetKinds[inputType];
}

/** What is malformed is read as an input of the type that it says. */
export function readInput(name: string, input: DescribedInput): InputDefinition {
  switch (input.type) {
    case "COMFY_DYNAMICCOMBO_V3":
      return readDynamicCombo(name, input) ?? readPlain(name, input);
    case "COMFY_AUTOGROW_V3":
      return readGrowing(name, input) ?? readPlain(name, input);
    case matchedType:
      return readMatched(name, input) ?? readPlain(name, input);
    default:
      return readPlain(name, input);
  }
}

function readDynamicCombo(name: string, input: DescribedInput): InputDefinition | undefined {
  const { data: options } = optionsSchema.safeParse(input.options);
  if (!options) return undefined;
  const keys = options.map(({ key }) => key);
  const usual = keys.find((key) => key === input.default) ?? keys[0];
  return {
    ...readPlain(name, { ...input, type: "COMBO", options: keys, default: usual }),
    options: options.map(({ key, inputs }) => ({ key, inputs: readSections(inputs, `${name}.`) })),
  };
}

function readGrowing(name: string, input: DescribedInput): InputDefinition | undefined {
  const { data: template } = growingSchema.safeParse(input.template);
  const [described] = template ? readSections(template.input, "") : [];
  const names = template ? grownNames(template) : [];
  if (!template || !described || described.options || described.grows || names.length === 0) return undefined;
  const each = { ...described, name };
  const least = each.isOptional ? 0 : Math.min(Math.max(template.min, 0), names.length);
  return {
    name,
    type: each.type,
    isOptional: (input.isOptional ?? false) || least === 0,
    grows: { names: names.map((one) => `${name}.${one}`), least, each },
  };
}

function grownNames({ names, prefix, max }: z.infer<typeof growingSchema>): string[] {
  if (names) return names.slice(0, mostGrown);
  return prefix === undefined
    ? []
    : Array.from({ length: Math.min(max, mostGrown) }, (_, index) => `${prefix}${index}`);
}

function readMatched(name: string, input: DescribedInput): InputDefinition | undefined {
  const { data: template } = matchSchema.safeParse(input.template);
  if (!template) return undefined;
  return {
    ...readPlain(name, { ...input, type: template.allowed_types }),
    match: template.template_id,
  };
}

/** Inputs of a choice or a template, in the form in which the server sends those of a node. */
function readSections(
  { required, optional }: z.infer<typeof sectionsSchema>,
  prefix: string,
): InputDefinition[] {
  const inputs = (each: Record<string, unknown>, isOptional: boolean) =>
    Object.entries(each).flatMap(([name, spec]) => {
      const { data } = inputSchema.safeParse({ ...inputInPageForm(spec), isOptional });
      return data ? [readInput(`${prefix}${name}`, data)] : [];
    });
  return [...inputs(required, false), ...inputs(optional, true)];
}

/** `["INT", {"min": 1}]`, or a list of choices where the type stands. */
export function inputInPageForm(spec: unknown): Record<string, unknown> {
  const [type, options] = Array.isArray(spec) ? spec : [spec];
  const more = options !== null && typeof options === "object" ? options : {};
  return Array.isArray(type) ? { ...more, type: "COMBO", options: type } : { ...more, type: String(type) };
}

function readPlain(name: string, input: DescribedInput): InputDefinition {
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
