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

export function lostBy({ steps }: Pick<BatchPlan, "steps">): string[] {
  return steps
    .flatMap(({ loses }) => loses ?? [])
    .flatMap((lost) => (typeof lost === "string" ? lost : isMissed(lost) ? lost.words : []));
}

function isMissed({ graph, to }: LostLink): boolean {
  const target = targetSlot(graph, to);
  return target?.name === to.name && target.linkedFrom === undefined;
}
