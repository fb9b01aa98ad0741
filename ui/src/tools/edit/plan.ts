/** A batch of operations, tried on copies of the graphs: either every step of it, or why it cannot be. */

import type { Comfy } from "../../comfy/bridge";
import type { GraphNode } from "../../graph/graph";
import { ToolError } from "../tool";
import type { Draft } from "./draft";
import type { Operation, Refusal } from "./operation";
import { Planner } from "./planner";
import type { Step } from "./step";

export interface Plan {
  draft: Draft;
  steps: readonly Step[];
  refusals: readonly Refusal[];
  /** Nodes that the person loses. */
  removed: readonly GraphNode[];
  /** What a replaced node could not hand on. */
  lost: readonly string[];
}

export function planBatch(comfy: Comfy, operations: readonly Operation[]): Plan {
  const planner = new Planner(comfy);
  const refusals = operations.flatMap((operation, index): Refusal[] => {
    try {
      planner.plan(operation);
      return [];
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      if ("as" in operation && operation.as !== undefined) planner.draft.failed(operation.as);
      return [
        {
          index,
          op: operation.op,
          error: error.message,
          ...(error.hint !== undefined && { hint: error.hint }),
        },
      ];
    }
  });
  return {
    draft: planner.draft,
    steps: planner.steps,
    refusals,
    removed: planner.removed,
    lost: planner.lost,
  };
}
