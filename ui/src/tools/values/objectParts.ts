/** What a value that is no object means for a widget that holds one, and which files its parts may name. */

import type { NodeDefinition } from "../../comfy/bridge";
import type { Choice, Json } from "../../graph/graph";

type Parts = { [name: string]: Json };

/** Where ComfyUI lists the files of such a part. */
const listed: Readonly<Record<string, { type: string; input: string }>> = {
  lora: { type: "LoraLoader", input: "lora_name" },
};
const noFile = /^(?:none)?$/i;

/** Of what kind a value has to be to mean the one part of these names. */
const meant = {
  boolean: /^(?:on|enabled?|active)$/,
  number: /^strength/,
  string: new RegExp(`^(?:${Object.keys(listed).join("|")})$`),
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
