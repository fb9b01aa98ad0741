/** Values that were set and that ComfyUI's page changes with the next run, such as a seed. */

import type { Comfy } from "../../comfy/bridge";
import { pathWord } from "../read/references";
import type { Applied } from "./applyPlan";
import type { Outcome } from "./outcome";
import type { BatchPlan } from "./planBatch";

/** Behind the widget that it rolls; one that a subgraph shows has the node inside before its name. */
const control = /\bcontrol_after_generate$/;

export interface Rolled {
  /** As `3.seed (control_after_generate=randomize; fixed keeps it)`. */
  words: string;
  /** By a setting of ComfyUI's: the next run has another value. */
  isBeforeRun: boolean;
}

export function rolledAnew(
  comfy: Comfy,
  { changed }: Outcome,
  { steps }: BatchPlan,
  { idOf }: Pick<Applied, "idOf">,
): Rolled[] {
  const replaced = changed.filter(({ differences }) => differences.some(({ of }) => of === "type"));
  const found = steps.flatMap(({ at, sets }) => {
    const id = sets && idOf(sets.node);
    const node = id !== undefined && comfy.node(id, at.place.map(idOf));
    if (!node || replaced.some((change) => change.node === id)) return [];
    const next = node.widgets[node.widgets.findIndex(({ name }) => name === sets?.widget) + 1];
    return next && control.test(next.name) && next.value !== "fixed"
      ? {
          words: `${pathWord(node)}.${sets?.widget} (${next.name}=${next.value}; fixed keeps it)`,
          isBeforeRun: /before/i.test(next.label ?? ""),
        }
      : [];
  });
  return [...new Map(found.map((each) => [each.words, each])).values()];
}
