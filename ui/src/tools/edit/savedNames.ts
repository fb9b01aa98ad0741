/** The widgets to which the values belong that a saved list has by their places: its node's inputs name them. */

import type { GraphNode, Json, SavedValues } from "../../graph/graph";
import { seedControls } from "../../graph/valueSource";

/** Undefined where the list has other values than there are names for. */
export function savedByName({ inputs, savedValues }: GraphNode): Record<string, Json> | undefined {
  if (savedValues === undefined || !isList(savedValues)) return savedValues;
  const names = inputs.filter(({ isWidget }) => isWidget).map(({ name }) => name);
  const values = savedValues.length > names.length ? withoutControls(savedValues) : savedValues;
  if (names.length === 0 || values.length !== names.length) return undefined;
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]));
}

/** What stands behind a seed says what becomes of it after a run, and has no input. */
function withoutControls(values: readonly Json[]): readonly Json[] {
  return values.filter(
    (value, index) =>
      typeof value !== "string" || !seedControls.includes(value) || typeof values[index - 1] !== "number",
  );
}

/** Values by position, not by name. */
export function isList(values: SavedValues): values is readonly Json[] {
  return Array.isArray(values);
}
