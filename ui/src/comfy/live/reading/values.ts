import { namesItsFolder } from "../../../graph/fileChoices";
import type { Choice, Json } from "../../../graph/graph";
import type { LiveWidget } from "../page";

/** A page's value as JSON; null for what JSON cannot say. */
export function jsonOf(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return null;
  }
}

/** Frontend 1.32 lets a widget with no file to choose hold the text "undefined", and takes no emptier value. */
export function heldValue({ type, value, options }: LiveWidget): Json {
  const isNothing = type === "combo" && value === "undefined" && !choicesOf(options?.values)?.includes(value);
  return isNothing ? null : jsonOf(value);
}

/** Combo lists come as arrays or as objects whose keys are the choices. */
export function choicesOf(values: unknown): readonly Choice[] | undefined {
  if (Array.isArray(values)) return values.filter(isChoice);
  if (values !== null && typeof values === "object") return Object.keys(values);
  return undefined;
}

/** Whether it is none of the choices, where there are such: lists of files are long, and none is copied for it. */
export function isNoneOf(choices: unknown, value: unknown): boolean {
  if (namesItsFolder(value)) return false;
  if (Array.isArray(choices)) return !(isChoice(value) && choices.indexOf(value) >= 0);
  if (choices === null || typeof choices !== "object") return false;
  return !(typeof value === "string" && Object.keys(choices).includes(value));
}

function isChoice(value: unknown): value is Choice {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
