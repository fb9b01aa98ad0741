import type { Json } from "../../graph/graph";

/** What sets a run apart, for the model and the person: `seed=5 3.steps=20`. */
export function valuesWords(values: Record<string, Json>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${beginning(String(value), 40)}`)
    .join(" ");
}

export function beginning(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
}
