/** Whether an edit was planned on the graph as it still is. */

import type { Comfy } from "../../comfy/bridge";
import { describeChanges } from "../../graph/compact/changes";
import type { NodeId, Place } from "../../graph/graph";
import { lastShown, look, remember } from "../sight";
import { ToolError } from "../tool";
import type { Plan } from "./plan";
import type { Step } from "./step";

const shown = 12;

/** What a batch was planned on, and where: by default, what the model was shown last in its thread. */
export interface Planned {
  thread?: string;
  revision?: string;
}

/**
 * What has changed since the model looked, as lines; empty when nothing has. Throws a ToolError when a node is
 * concerned that the plan changes: the person's work is never overwritten unseen. Without a revision, what the model
 * was shown last counts.
 */
export function newsSince(comfy: Comfy, plan: Plan, { thread, revision }: Planned): string[] {
  const base = lastShown(comfy, thread, revision);
  if (revision === undefined && !base) return [];
  const present = look(comfy);
  if ((base?.revision ?? revision) === present.revision) return [];
  if (!base)
    throw new ToolError(
      `Nothing was changed: revision ${revision} is none of "${comfy.workflow().name}", which is open now at ${present.revision}.`,
      "Read the workflow, then plan on what it is.",
    );
  const lines = describeChanges(base.workflow, present.workflow).filter((line) => !isNextSeed(line));
  const changed = new Set(lines.flatMap(pathOf));
  const isConcerned = plan.steps.flatMap(touchedPaths).some((path) => changed.has(path));
  if (!isConcerned && plan.refusals.length === 0) return cut(lines);
  remember(comfy, present, thread);
  throw new ToolError(
    `Nothing was changed: the user has changed the workflow since you read it, where this edit acts. Changes: ${cut(lines).join("; ")}.`,
    `Plan again on what it is now: revision ${present.revision}.`,
  );
}

/** Seeds move on by themselves with every run. */
function isNextSeed(line: string): boolean {
  return /^~ \S+ (?:"[^"]*"|\S+) (?:noise_)?seed=\S+$/.test(line);
}

function pathOf(line: string): string[] {
  const path = /^[-+~] ((?:[^\s:]+:)*\d+)(?: |$)/.exec(line)?.[1];
  return path === undefined ? [] : [path];
}

/** A node that is only linked from is not changed. */
function touchedPaths(step: Step): string[] {
  const path = (node: NodeId) => pathTo(step.place, node);
  if ("to" in step) return [path(step.to.node)];
  return "nodes" in step ? step.nodes.map(path) : [path(step.node)];
}

function pathTo(place: Place, node: NodeId): string {
  return [...place, node].join(":");
}

function cut(lines: readonly string[]): string[] {
  return lines.length <= shown
    ? [...lines]
    : [...lines.slice(0, shown), `and ${lines.length - shown} more changes`];
}
