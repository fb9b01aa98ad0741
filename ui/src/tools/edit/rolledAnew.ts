/** Values that were set and that ComfyUI's page gives up with the next run, such as a seed. */

import type { Comfy } from "../../comfy/bridge";
import { pathWord } from "../read/references";
import type { Applied } from "./applyPlan";
import type { Outcome } from "./outcome";
import type { BatchPlan } from "./planBatch";

/** Behind the widget that it rolls; one that a subgraph shows has the node inside before its name. */
const control = /\bcontrol_after_generate$/;

/** As `3.seed, as control_after_generate is randomize (fixed keeps it)`. */
export function rolledAnew(
  comfy: Comfy,
  { changed }: Outcome,
  { steps }: BatchPlan,
  { idOf }: Pick<Applied, "idOf">,
): string[] {
  const replaced = changed.filter(({ differences }) => differences.some(({ of }) => of === "type"));
  const found = steps.flatMap(({ at, sets }) => {
    const id = sets && idOf(sets.node);
    const node = id !== undefined && comfy.node(id, at.place.map(idOf));
    if (!node || replaced.some((change) => change.node === id)) return [];
    const next = node.widgets[node.widgets.findIndex(({ name }) => name === sets?.widget) + 1];
    return next && control.test(next.name) && next.value !== "fixed"
      ? `${pathWord(node)}.${sets?.widget}, as ${next.name} is ${next.value} (fixed keeps it)`
      : [];
  });
  return [...new Set(found)];
}
