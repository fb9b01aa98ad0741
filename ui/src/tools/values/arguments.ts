/** Argument types that are plain in the schema and forgiving towards what small models write. */

import { z } from "zod";
import type { Json } from "../../graph/graph";
import { parseJson } from "../../shared/json";

/** Text; a bare number counts as its digits. What a name says needs no description. */
export function textArgument(description?: string) {
  return z
    .preprocess((value) => (typeof value === "number" ? String(value) : value), z.string())
    .meta({ type: "string", description });
}

/** Any JSON value; announced as text, since some providers refuse properties of several types or none. */
export function valueArgument(description: string) {
  return z
    .custom<Json>((value) => value !== undefined, "a value is required")
    .meta({ type: "string", description });
}

/** `4.MODEL`; node and slot may be apart, too: `["4", 0]` as the API writes it, or `{"node": "4", "slot": 0}`. */
export function slotArgument(description: string) {
  return z.preprocess(slotWritten, z.string()).meta({ type: "string", description });
}

/** Anything else stays as it is. */
export function slotWritten(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  const { node, slot, output = slot, input = output, name = input } = Object(value);
  const pair = Array.isArray(value) ? value : [node, name];
  return pair.length === 2 && pair.every(isWord) ? pair.join(".") : value;
}

/** Whether it is written as a slot, such as `4.FLOAT`; `0.5` is a number. */
export function namesSlot(written: unknown): boolean {
  return typeof written === "string" && /^[^.\s]+\.[^.\d\s]\S*$/.test(written);
}

function isWord(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && !value.includes("."));
}

/** A list; a single item counts as a list of one. */
export function listArgument<Item>(item: z.ZodType<Item>, description?: string) {
  const list = z.array(item);
  return z
    .preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), list)
    .meta({ type: "array", items: { type: "string" }, description });
}

/** Yes or no; the words true and false in a text count as well. */
export function booleanArgument(description?: string) {
  return z
    .preprocess(
      (value) => (/^(true|false)$/i.test(String(value)) ? /^t/i.test(String(value)) : value),
      z.boolean(),
    )
    .meta({ type: "boolean", description });
}

/** A whole number; digits in a text count as well. */
export function integerArgument(description: string, { min, max }: { min: number; max: number }) {
  return z.coerce.number().int().min(min).max(max).meta({ type: "integer", description });
}

/** A list of whole numbers, as numbers or digits; a single one counts as a list of one. */
export function integersArgument(description?: string) {
  return z
    .preprocess(
      (value) => (value === undefined || Array.isArray(value) ? value : [value]),
      z.array(z.coerce.number().int()),
    )
    .meta({ type: "array", items: { type: "integer" }, description });
}

/** An object with free keys; JSON text of one counts too. */
export function valuesArgument(description: string) {
  return z.preprocess(parsed, z.record(z.string(), z.custom<Json>())).meta({ type: "object", description });
}

/** What a text holds as JSON; anything else as it is. */
export function parsed(value: unknown): unknown {
  return typeof value === "string" ? parseJson(value, value) : value;
}

/** Small models fill in every field that they know of. */
export function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && (value === null || Object.keys(value).length === 0));
}
