/** A batch of edits, tried on copies of the graphs: either every step of it, or why it cannot be. */

import type { Comfy } from "../../comfy/bridge";
import { findNode } from "../../graph/graph";
import { placeAdded } from "../../graph/placeAdded";
import type { UnwiredLink } from "../../graph/unwired";
import type { ToolError } from "../tool";
import { Draft } from "./draft";
import { faultOf } from "./faults";
import type { Edit } from "./operation";
import type { Step } from "./step";

export interface BatchPlan {
  draft: Draft;
  steps: readonly Step[];
  refusals: readonly RefusedEdit[];
  /** What one might expect to change, and is as it was once all steps are done. */
  leaves: readonly string[];
}

/** An edit that does not fit, and why. */
export interface RefusedEdit {
  index: number;
  operation: string;
  error: ToolError;
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
      const fault = faultOf(error);
      if (as !== undefined) draft.failed(as);
      return [{ index, operation, error: fault }];
    }
  });
  settle(draft);
  readAround(draft, steps);
  const leaves = refusals.length > 0 ? [] : steps.flatMap((step) => step.leaves?.() ?? []);
  return { draft, steps, refusals, leaves };
}

/** Gives the new nodes their places, once all links are known. */
function settle({ graphs, unplaced }: Draft): void {
  if (unplaced.size === 0) return;
  for (const { graph } of graphs.values()) {
    const added = graph.nodes.filter((node) => unplaced.has(node));
    const places = placeAdded(graph, new Map(added.map((node) => [node.id, unplaced.get(node)])));
    for (const node of added) node.position = places.get(node.id) ?? node.position;
  }
}

/** What the page does along with an edit is told by the links that these nodes had: they are read before it. */
function readAround({ graphs }: Draft, steps: readonly Step[]): void {
  for (const { graph: definition, node: id } of steps.flatMap(({ touches }) => touches)) {
    const { graph } = graphs.get(definition) ?? {};
    if (!graph) continue;
    const targets = findNode(graph, id)?.outputs.flatMap(({ linkedTo }) => linkedTo) ?? [];
    for (const { node } of targets) void findNode(graph, node)?.inputs;
  }
}
