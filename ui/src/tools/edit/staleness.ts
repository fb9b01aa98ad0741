/** Whether an edit was planned on the graph as it still is. */

import type { Comfy } from "../../comfy/bridge";
import { type Changes, isNextSeed } from "../../graph/compact/changes";
import { changeLines, toldNodes } from "../../graph/compact/changeWords";
import type { Place } from "../../graph/graph";
import { fewEntries } from "../../shared/few";
import { changesSince, nodeKey, type Shows, type Sight } from "../read/known";
import { lastShown, remember } from "../read/sight";
import { ToolError } from "../tool";
import type { BatchPlan } from "./planBatch";

const shown = 12;

/** What a batch was planned on, and where: by default, what the model was shown last in its thread. */
export interface Basis {
  thread?: string;
  revision?: string;
}

/** The call fits, but the model was not shown on what it acts: there is nothing to mend in it. */
export class UnseenChange extends ToolError {}

/** What the person has changed since the model looked. */
export interface News {
  lines: string[];
  /** What stands in the lines, where not all does: the rest is yet to be seen. */
  shows?: Shows;
  /** A name that is not there may be that of a node which was. */
  hasRemovals?: boolean;
}

const none: News = { lines: [] };

/**
 * What has changed since the model looked. Throws an UnseenChange when a node is
 * concerned that the plan changes: the person's work is never overwritten unseen. A plan that does not fit anyway is
 * told why, and what has changed with it. Without a revision, what the model was shown last counts.
 */
export function newsSince(comfy: Comfy, present: Sight, plan: BatchPlan, { thread, revision }: Basis): News {
  const base = lastShown(comfy, thread, revision);
  if (revision === undefined && !base) return none;
  if (!base) {
    if (revision === present.revision) return none;
    throw new ToolError(
      `Nothing was changed: revision ${revision} is none of "${comfy.workflow().name}", which is open now at ${present.revision}.`,
      "Read the workflow, then plan on what it is.",
    );
  }
  const { nodes, groups } = changesSince(base, present);
  const isConcerned = concernedBy(plan);
  const [concerned, others] = [nodes.filter(isConcerned), nodes.filter((change) => !isConcerned(change))];
  const changes = { nodes: [...concerned, ...others].filter((change) => !isNextSeed(change)), groups };
  const news = told(changes, comfy.openPlace());
  if (plan.refusals.length > 0 || !changes.nodes.some(isConcerned)) return news;
  const newest = lastShown(comfy, thread);
  const why =
    newest && changesSince(newest, present).nodes.length === 0
      ? `revision ${revision} is older than what you were shown last, and differs`
      : "the user has changed the workflow since you read it,";
  remember(comfy, present, thread, news.shows);
  const again =
    revision === undefined ? "send the same call again" : `send it with revision ${present.revision}`;
  throw new UnseenChange(
    `Nothing was changed: ${why} where this edit acts. Changes: ${news.lines.join("; ")}.`,
    `The call fits: if it is what the user wants all the same, ${again}. If not, keep what they changed.`,
  );
}

/** The same for what acts on no node, such as a run of all: it counts as seen once it is told. */
export function newsOf(comfy: Comfy, present: Sight, { thread }: Basis): { tell(): string[] } {
  const base = lastShown(comfy, thread);
  const { nodes, groups } = base ? changesSince(base, present) : { nodes: [], groups: [] };
  const news = told({ nodes: nodes.filter((change) => !isNextSeed(change)), groups }, comfy.openPlace());
  return {
    tell() {
      if (news.lines.length > 0 && lastShown(comfy, thread) === base)
        remember(comfy, present, thread, news.shows);
      return news.lines;
    },
  };
}

function concernedBy({ steps }: BatchPlan): Shows {
  const touched = new Set(steps.flatMap(({ touches }) => touches.map(nodeKey)));
  return (change) => touched.has(nodeKey(change));
}

/** The first of them, where there are many. */
function told(changes: Changes, open: Place): News {
  const lines = changeLines(changes, open);
  const hasRemovals = changes.nodes.some(({ kind }) => kind === "removed");
  if (lines.length <= shown) return { lines, hasRemovals };
  const untold = new Set(toldNodes(changes).slice(shown).map(nodeKey));
  return {
    lines: fewEntries(lines, shown, " changes, which getWorkflowInfo with view changes tells"),
    shows: (change) => !untold.has(nodeKey(change)),
    hasRemovals,
  };
}
