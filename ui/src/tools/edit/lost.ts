/** Links and values that a batch leaves without a place. */

import type { Graph } from "../../graph/graph";
import { type InputPlace, targetSlot } from "../../graph/links";
import type { BatchPlan } from "./planBatch";

/** A link out of a node, `7.VAE>8.vae`: nothing is lost where its target takes another one by the end of the batch. */
export interface LostLink {
  words: string;
  graph: Graph;
  to: InputPlace & { name: string };
}

interface Losing {
  plan: Pick<BatchPlan, "steps">;
  /** By ComfyUI itself. */
  lost: readonly string[];
}

export function lostBy({ plan, lost }: Losing): string[] {
  const planned = plan.steps.flatMap(({ loses }) => loses ?? []);
  return [
    ...planned.flatMap((each) => (typeof each === "string" ? each : isMissed(each) ? each.words : [])),
    ...lost,
  ];
}

function isMissed({ graph, to }: LostLink): boolean {
  const target = targetSlot(graph, to);
  return target?.name === to.name && target.linkedFrom === undefined;
}
