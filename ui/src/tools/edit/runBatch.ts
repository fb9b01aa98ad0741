/** From operations to what was changed: planned, allowed, applied and read again. */

import type { Comfy } from "../../comfy/bridge";
import { changesBetween } from "../../graph/compact/changes";
import type { Place } from "../../graph/graph";
import { nodeName } from "../references";
import { look, remember, type Sight } from "../sight";
import { declined, type ToolContext, ToolError, type ToolFailure } from "../tool";
import { type Applied, applyPlan } from "./apply";
import type { Operation, Refusal } from "./operation";
import { looseEnds, marksOf, type Outcome, outcomeOf } from "./outcome";
import { type Plan, planBatch } from "./plan";
import { newsSince, type Planned } from "./staleness";

/** Deleting more nodes than this is asked for. */
const fewNodes = 3;

export interface BatchDone extends Outcome, Applied {
  plan: Plan;
  /** What the person changed since the model looked, elsewhere than this batch. */
  news: readonly string[];
  revision: string;
  /** The graph on the canvas, to which plain ids belong. */
  open: Place;
  stillUnconnected: string[];
}

/** Throws a ToolError that names every refused operation; nothing is changed then. */
export function runBatch(
  comfy: Comfy,
  operations: readonly Operation[],
  { turn, ...planned }: { turn?: string } & Planned = {},
): BatchDone {
  const open = comfy.openPlace();
  const before = look(comfy);
  const { plan, news } = checkedPlan(comfy, before, operations, planned);
  const applied = applyPlan(comfy, plan);
  const after = look(comfy);
  const outcome = outcomeOf(changesBetween(before.workflow, after.workflow));
  comfy.mark(turn, marksOf(outcome));
  remember(comfy, after, planned.thread);
  return {
    ...applied,
    ...outcome,
    plan,
    news,
    revision: after.revision,
    open,
    stillUnconnected: looseEnds(comfy, [...outcome.added, ...outcome.changed], open),
  };
}

/** Before many nodes are deleted, whether the person agrees; a result for the model where they do not. */
export async function refusedByPerson(
  comfy: Comfy,
  operations: readonly Operation[],
  revision: string | undefined,
  context: ToolContext,
): Promise<ToolFailure | undefined> {
  const planned = { ...context, ...(revision !== undefined && { revision }) };
  const { removed } = checkedPlan(comfy, look(comfy), operations, planned).plan;
  if (removed.length <= fewNodes) return undefined;
  const title = `Delete ${removed.length} nodes?`;
  const isAllowed = await context.confirm({ title, detail: removed.map(nodeName).join(", ") });
  return isAllowed ? undefined : declined(`deleting ${removed.length} nodes.`);
}

/** For results: what the person changed meanwhile, if anything. */
export function newsData({ news }: BatchDone): { changedByTheUser?: string[] } {
  return news.length > 0 ? { changedByTheUser: [...news] } : {};
}

export function removesMany(operations: readonly Operation[]): boolean {
  const named = operations.flatMap((operation) => (operation.op === "remove" ? operation.nodes : []));
  return named.length > fewNodes;
}

function checkedPlan(
  comfy: Comfy,
  present: Sight,
  operations: readonly Operation[],
  planned: Planned,
): { plan: Plan; news: readonly string[] } {
  const plan = planBatch(comfy, operations);
  const news = newsSince(comfy, present, plan, planned);
  if (plan.refusals.length > 0) throw refusal(plan.refusals, operations.length);
  return { plan, news };
}

function refusal(refusals: readonly Refusal[], count: number): ToolError {
  const [only] = refusals;
  if (only && count === 1) return new ToolError(only.error, only.hint);
  const told = refusals.map(({ index, op, error, hint }) =>
    [`operations[${index}] ${op}: ${error}`, ...(hint === undefined ? [] : [hint])].join(" "),
  );
  return new ToolError(
    `Nothing was changed: ${refusals.length} of ${count} operations do not fit. ${told.join(" ")}`,
    "Mend these and send the whole batch again.",
  );
}
