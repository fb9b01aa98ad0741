import type { Json } from "../../graph/graph";

const longest = 40;

/** What sets a run apart, for the model and the person: `seed=5 3.steps=20`. */
export function valuesWords(values: Record<string, Json>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${beginning(textOf(value), longest)}`)
    .join(" ");
}

export function only(names: readonly string[], values: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** With its number, from 1, where a value is too long to tell it apart. */
export function runName(values: Record<string, Json>, number: number): string {
  const isCut = Object.values(values).some((value) => textOf(value).length > longest);
  return isCut ? `${number}. ${valuesWords(values)}` : valuesWords(values);
}

/** Each whole, on lines of their own. */
export function wholeValues(values: Record<string, Json>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join("\n");
}

export function beginning(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
