/** A batch of edits, tried on copies of the graphs: either every step of it, or why it cannot be. */

import type { Comfy } from "../../comfy/bridge";
import type { UnwiredLink } from "../../graph/unwired";
import { Draft } from "./draft";
import { faultOf } from "./faults";
import type { Edit } from "./operation";
import type { Step } from "./step";

export interface BatchPlan {
  draft: Draft;
  steps: readonly Step[];
  refusals: readonly RefusedEdit[];
}

/** An edit that does not fit, and why. */
export interface RefusedEdit {
  index: number;
  operation: string;
  error: string;
  hint?: string;
  choicesOf: readonly string[];
}

export function planBatch(
  comfy: Comfy,
  edits: readonly Edit[],
  feeds: readonly UnwiredLink[] = [],
): BatchPlan {
  const draft = new Draft(comfy, feeds);
  const steps: Step[] = [];
  const refusals = edits.flatMap(({ operation, as, plan }, index): RefusedEdit[] => {
    try {
      steps.push(...plan(draft));
      return [];
    } catch (error) {
      const { message, hint, choicesOf } = faultOf(error);
      if (as !== undefined) draft.failed(as);
      return [{ index, operation, error: message, choicesOf, ...(hint !== undefined && { hint }) }];
    }
  });
  draft.settle();
  return { draft, steps, refusals };
}
