/** Files that nobody has chosen: of a new node's lists ComfyUI takes the first. */

import type { Comfy } from "../../comfy/bridge";
import type { NodeChange } from "../../graph/compact/changes";
import { pathOf } from "../../graph/compact/changeWords";
import { valueText } from "../../graph/compact/write";
import { areFiles } from "../../graph/fileChoices";
import type { Place } from "../../graph/graph";
import type { Applied } from "./applyPlan";
import type { Outcome } from "./outcome";
import type { BatchPlan } from "./planBatch";

/** As `12.unet_name="chroma.safetensors", the first of 16 files`. */
export function notChosen(
  comfy: Comfy,
  { added, changed }: Outcome,
  { steps }: BatchPlan,
  { idOf }: Pick<Applied, "idOf">,
  open: Place,
): string[] {
  const chosen = new Set(steps.flatMap(({ sets }) => (sets ? `${idOf(sets.node)} ${sets.widget}` : [])));
  const isOther = ({ differences }: NodeChange) => differences.some(({ of }) => of === "type");
  return [...added, ...changed.filter(isOther)].flatMap((change) => {
    const node = comfy.node(change.node, change.places[0]);
    const fed = new Set(node?.inputs.flatMap(({ name, linkedFrom }) => (linkedFrom ? name : [])));
    return (node?.widgets ?? []).flatMap(({ name, value, choices = [] }) =>
      choices.length > 1 &&
      value === choices[0] &&
      areFiles(choices) &&
      !fed.has(name) &&
      !chosen.has(`${change.node} ${name}`)
        ? `${pathOf(change, open)}.${name}=${valueText({ name, value }, 60)}, the first of ${choices.length} files`
        : [],
    );
  });
}
