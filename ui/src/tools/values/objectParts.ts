/** What a value that is no object means for a widget that holds one, and which files its parts may name. */

import type { NodeDefinition } from "../../comfy/bridge";
import type { Choice, GraphWidget, Json } from "../../graph/graph";

type Parts = { [name: string]: Json };

/** Where ComfyUI lists the files of such a part. */
const listed: Readonly<Record<string, { type: string; input: string }>> = {
  lora: { type: "LoraLoader", input: "lora_name" },
};
const noFile = /^(?:none)?$/i;

/** The parts by which such objects are called. */
export const partsOfObjects = Object.keys(listed);

/** Of what kind a value has to be to mean the one part of these names. */
const meant = {
  boolean: /^(?:on|enabled?|active)$/,
  number: /^strength/,
  string: new RegExp(`^(?:${partsOfObjects.join("|")})$`),
};

/** A switch, a strength or a file alone: as the part that it means. Undefined where none or several could be meant. */
export function partMeant(present: Parts, value: Json): Parts | undefined {
  const kind = typeof value;
  if (kind !== "boolean" && kind !== "number" && kind !== "string") return undefined;
  const names = Object.keys(present).filter(
    (name) => meant[kind].test(name) && (typeof present[name] === kind || kind === "string"),
  );
  const [name] = names;
  return name !== undefined && names.length === 1 ? { [name]: value } : undefined;
}

/** For a widget that there is not yet, `lora_3`: the object of which it would hold this value as one part. */
export function objectMeant(name: string, value: Json): Json {
  const [, part = ""] = /^(\w+?)_\d+$/.exec(name) ?? [];
  return Object.hasOwn(listed, part) && typeof value === "string" ? { [part]: value } : value;
}

/** Names of objects that some nodes take one of for each file, from the one after `count` on. */
export function objectNames(count: number): string[] {
  return partsOfObjects.map((part) => `${part}_${count + 1}`);
}

/** Of these parts, those that name files, each with the input that lists them: `{lora: "LoraLoader.lora_name"}`. */
export function filesOfParts(parts: readonly string[]): { [part: string]: string } {
  return Object.fromEntries(
    Object.entries(listed)
      .filter(([part]) => parts.includes(part))
      .map(([part, { type, input }]) => [part, `${type}.${input}`]),
  );
}

/** What `strength_2`, `lora_2_strength` and `lora_2.strength` are: a part of the widget `lora_2`. */
export function partNamed<Widget extends Pick<GraphWidget, "name" | "value">>(
  widgets: readonly Widget[],
  written: string,
): { widget: Widget; part: string } | undefined {
  for (const widget of widgets) {
    const { name, value } = widget;
    if (value === null || typeof value !== "object" || Array.isArray(value)) continue;
    const [, number] = /_(\d+)$/.exec(name) ?? [];
    const part = Object.keys(value).find((each) =>
      [`${name}.${each}`, `${name}_${each}`, ...(number ? [`${each}_${number}`] : [])].includes(written),
    );
    if (part !== undefined) return { widget, part };
  }
  return undefined;
}

/** The files that a part may name, and the type whose input lists them; undefined where it names none. */
export function filesFor(
  part: string,
  value: Json,
  definitionOf: (type: string) => NodeDefinition | undefined,
): { choices: readonly Choice[]; type: string } | undefined {
  const list = Object.hasOwn(listed, part) ? listed[part] : undefined;
  if (!list || typeof value !== "string" || noFile.test(value.trim())) return undefined;
  const choices = definitionOf(list.type)?.inputs.find(({ name }) => name === list.input)?.choices;
  return choices && { choices, type: list.type };
}
