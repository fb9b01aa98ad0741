/** What a model has seen of a workflow, and what became different since. */

import type { Comfy } from "../../comfy/bridge";
import { type Changes, changesBetween, withoutLooks, withTypesApart } from "../../graph/compact/changes";
import { readWorkflow } from "../../graph/compact/read";
import type { CompactWorkflow } from "../../graph/compact/workflow";
import { workflowRevision } from "../../graph/revision";

export interface Sight {
  revision: string;
  workflow: CompactWorkflow;
}

const keptForEachWorkflow = 20;
/** By thread and workflow: what one conversation has seen is news to another. */
const shown = new WeakMap<Comfy["whole"], Map<string, Sight[]>>();

/** The open workflow as it is now, all its subgraphs included. */
export function look(comfy: Comfy): Sight {
  const workflow = readWorkflow(comfy.whole.read(), (type) => comfy.whole.shape(type));
  return { revision: workflowRevision(workflow), workflow };
}

/** The model has been shown this much of the open workflow in this thread, or has made it so. */
export function remember(comfy: Comfy, sight: Sight, thread: string | undefined): void {
  const sights = sightsOf(comfy, thread);
  const others = sights.filter(({ revision }) => revision !== sight.revision);
  sights.splice(0, sights.length, ...others.slice(1 - keptForEachWorkflow), sight);
}

/** The latest that the model saw of the open workflow in this thread, or what it saw under that revision. */
export function lastShown(comfy: Comfy, thread: string | undefined, revision?: string): Sight | undefined {
  const sights = sightsOf(comfy, thread);
  return revision === undefined ? sights.at(-1) : sights.find((sight) => sight.revision === revision);
}

/** What a person's changes come to, without those that are nothing to plan for. */
export function changesSince(before: Sight, now: Sight): Changes {
  return before.revision === now.revision
    ? { nodes: [], groups: [] }
    : withTypesApart(withoutLooks(changesBetween(before.workflow, now.workflow)));
}

function sightsOf(comfy: Comfy, thread = ""): Sight[] {
  const known = shown.get(comfy.whole) ?? new Map<string, Sight[]>();
  shown.set(comfy.whole, known);
  const key = JSON.stringify([thread, comfy.workflow().key]);
  const sights = known.get(key) ?? [];
  known.set(key, sights);
  return sights;
}
