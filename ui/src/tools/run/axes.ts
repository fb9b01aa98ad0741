/** What the runs of one call differ in. */

import type { Json } from "../../graph/graph";

/** The values of one widget, or of all seeds, in the order in which they are tried. */
export interface Axis {
  /** As runs name it: `3.steps`, `seed`. */
  name: string;
  values: Json[];
}

/** Those with one value set no run apart. */
export function axesOf(runs: readonly { values: Record<string, Json> }[]): { varied: Axis[]; same: Axis[] } {
  const axes = Object.keys(runs[0]?.values ?? {}).map((name): Axis => {
    const values = runs.map((run) => run.values[name] ?? null);
    return { name, values: [...new Map(values.map((value) => [JSON.stringify(value), value])).values()] };
  });
  return {
    varied: axes.filter(({ values }) => values.length > 1),
    same: axes.filter(({ values }) => values.length === 1),
  };
}
