/** A turn is taken back, or made again: first what each workflow becomes is planned, then it is carried out. */

import { runsOtherwise } from "../../../graph/runsOtherwise";
import { isSame } from "../../../graph/sameState";
import { takeBack } from "../../../graph/takeBack";
import { few } from "../../../shared/few";
import type { MadeAs } from "../editing/madeAs";
import type { LiveWorkflow } from "../page";
import { type Change, turnedRound } from "./madeTurn";
import type { MadeTurns } from "./madeTurns";
import type { OpenTabs, Steps } from "./openTabs";

const mostNamed = 8;

interface TogglePlan {
  /** What each workflow becomes without the changes. */
  states: ReadonlyMap<LiveWorkflow, unknown>;
  /** What the nodes of these states were made as. */
  madeAs: ReadonlyMap<LiveWorkflow, MadeAs>;
  closing: ReadonlySet<LiveWorkflow>;
  /** Where it is not empty, nothing may be changed. */
  inTheWay: string[];
}

export function planToggle(
  changes: readonly Change[],
  tabs: Pick<OpenTabs, "all">,
  { afterRuns }: Pick<MadeTurns, "afterRuns">,
): TogglePlan {
  const states = new Map<LiveWorkflow, unknown>();
  const made = new Map<LiveWorkflow, MadeAs>();
  const closing = new Set<LiveWorkflow>();
  const closed = new Set<string>();
  const changed: string[] = [];
  for (const change of changes.toReversed()) {
    const { workflow, name, before, madeAs } = change;
    if (change.after === undefined) continue;
    if (!tabs.all().includes(workflow)) {
      closed.add(`the workflow “${name}” is closed`);
      continue;
    }
    const now = states.has(workflow) ? states.get(workflow) : workflow.changeTracker?.activeState;
    states.set(workflow, now);
    made.set(workflow, new Map([...(made.get(workflow) ?? []), ...(madeAs ?? [])]));
    const { after } = afterRuns(change, now);
    if (before !== undefined) {
      const taken = takeBack({ before, after }, now);
      states.set(workflow, taken.state);
      changed.push(...taken.inTheWay);
    } else if (isSame(now, after)) {
      if (closing.size + 1 < tabs.all().length) closing.add(workflow);
      else closed.add(`the workflow “${name}”, which it has opened, is the only one that is open`);
    } else changed.push(`the workflow “${name}”, which it has opened,`);
  }
  const inTheWay = [...closed, ...(changed.length > 0 ? [`${changed.join(", ")} changed since`] : [])];
  return { states, madeAs: made, closing, inTheWay };
}

/** What was changed for it, and what a workflow would run otherwise than planned, as ComfyUI has loaded it. */
export async function toggle(
  { states, madeAs, closing }: TogglePlan,
  made: readonly Change[],
  tabs: OpenTabs,
  steps: Steps,
): Promise<{ changes: Change[]; otherwise: string[] }> {
  const changes: Change[] = [];
  const otherwise: string[] = [];
  for (const [workflow, state] of states) {
    const { filename: name = "", changeTracker } = workflow;
    const now = changeTracker?.activeState;
    if (closing.has(workflow)) {
      changes.push({ workflow, name, before: now });
      continue;
    }
    if (isSame(now, state)) {
      changes.push(...turnedRound(made.filter((change) => change.workflow === workflow)));
      continue;
    }
    const before = tabs.active() === workflow ? tabs.madeAs() : undefined;
    await tabs.show(workflow, state, steps, new Map([...(before ?? []), ...(madeAs.get(workflow) ?? [])]));
    const shown = workflow.changeTracker?.activeState;
    checkNodes(name, shown, state);
    otherwise.push(...runsOtherwise(state, shown));
    changes.push({
      ...{ workflow, name, before: now, after: workflow.changeTracker?.activeState },
      ...(before && { madeAs: before }),
    });
  }
  // Where the turn began, so that the person is not left in a tab that it had nothing to do with.
  const next = [...made.map(({ workflow }) => workflow), ...tabs.all()].find(
    (each) => tabs.all().includes(each) && !closing.has(each),
  );
  for (const workflow of closing) {
    if (next && tabs.active() === workflow) await tabs.show(next, next.changeTracker?.activeState, steps);
    await tabs.close(workflow);
  }
  for (const { name, before } of made.filter(({ after }) => after === undefined)) {
    await tabs.open(name, before, steps);
    const workflow = tabs.active();
    if (workflow) changes.push({ workflow, name, after: workflow.changeTracker?.activeState });
  }
  return { changes, otherwise };
}

/** It was done; but packs convert what they load, or the page does. */
export class LoadedOtherwise extends Error {
  constructor(what: readonly string[], done: "taken back" | "made again") {
    super(
      `It was ${done}, but ComfyUI has loaded otherwise than it was: ${few(what, mostNamed)}. Look at these nodes, or press Ctrl+Z on the canvas.`,
    );
  }
}

/** The page swallows what goes wrong while it loads a state. Packs may make other types of old nodes. */
function checkNodes(name: string, shown: unknown, wanted: unknown): void {
  const [has, should] = [shown, wanted].map((state) => {
    const { nodes = [] } = Object(state) as { nodes?: { id: unknown }[] };
    return nodes.map(({ id }) => String(id)).sort();
  });
  if (!isSame(has, should))
    throw new Error(
      `ComfyUI did not load “${name}” whole: it has other nodes than it should. Press Ctrl+Z on the canvas to go back to what was there.`,
    );
}
