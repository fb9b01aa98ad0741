/** Whether an edit was planned on the graph as it still is. */

import type { Comfy } from "../../comfy/bridge";
import { type Changes, isNextSeed } from "../../graph/compact/changes";
import { changeLines } from "../../graph/compact/changeWords";
import { changesSince, lastShown, remember, type Sight } from "../read/sight";
import { ToolError } from "../tool";
import type { BatchPlan } from "./planBatch";
import type { NodeIdentity } from "./step";

const shown = 12;

/** What a batch was planned on, and where: by default, what the model was shown last in its thread. */
export interface Basis {
  thread?: string;
  revision?: string;
}

/**
 * What has changed since the model looked, as lines; empty when nothing has. Throws a ToolError when a node is
 * concerned that the plan changes: the person's work is never overwritten unseen. Without a revision, what the model
 * was shown last counts.
 */
export function newsSince(
  comfy: Comfy,
  present: Sight,
  plan: BatchPlan,
  { thread, revision }: Basis,
): string[] {
  const base = lastShown(comfy, thread, revision);
  if (revision === undefined && !base) return [];
  if ((base?.revision ?? revision) === present.revision) return [];
  if (!base)
    throw new ToolError(
      `Nothing was changed: revision ${revision} is none of "${comfy.workflow().name}", which is open now at ${present.revision}.`,
      "Read the workflow, then plan on what it is.",
    );
  const all = changesSince(base, present);
  const changes = { ...all, nodes: all.nodes.filter((change) => !isNextSeed(change)) };
  const lines = changeLines(changes, comfy.openPlace());
  if (lines.length === 0) return [];
  if (!isConcerned(plan, changes) && plan.refusals.length === 0) return cut(lines);
  remember(comfy, present, thread);
  throw new ToolError(
    `Nothing was changed: the user has changed the workflow since you read it, where this edit acts. Changes: ${cut(lines).join("; ")}.`,
    `Plan again on what it is now: revision ${present.revision}.`,
  );
}

function isConcerned({ steps }: BatchPlan, { nodes }: Changes): boolean {
  const changed = new Set(nodes.map(key));
  return steps.some(({ touches }) => touches.some((node) => changed.has(key(node))));
}

function key({ graph, node }: NodeIdentity): string {
  return JSON.stringify([graph, node]);
}

function cut(lines: readonly string[]): string[] {
  return lines.length <= shown
    ? [...lines]
    : [...lines.slice(0, shown), `and ${lines.length - shown} more changes`];
}
