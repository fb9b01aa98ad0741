/** The turns that have changed something: noted as it happens, known at each step, found again after a reload. */

import { isSame, looksOfSlots, onlyDifferences } from "../../../graph/sameState";
import { withRunWrites } from "../../../graph/writtenByRuns";
import type { KeptTurn, TurnState } from "../../bridge";
import type { LiveWorkflow } from "../page";
import { type Change, type MadeTurn, mostSteps, nextOf, slimTurn, turnAt } from "./madeTurn";
import type { OpenTabs } from "./openTabs";

export type MadeTurns = ReturnType<typeof createMadeTurns>;

export function createMadeTurns(tabs: Pick<OpenTabs, "all" | "byRuns">) {
  const turns = new Map<string, MadeTurn>();
  /** Of the same page before it was loaded anew: with paths in the place of workflows. */
  const kept = new Map<string, KeptTurn>();

  /** The change as it is kept: with that before it, where it goes on from there. */
  function note(turn: string, change: Change): Change {
    const made = turns.get(turn);
    const there = made?.isUndone ? [] : (made?.changes ?? []);
    const last = there.at(-1);
    const isNext = last?.workflow === change.workflow && isSame(last.after, change.before, looksOfSlots);
    const { before, madeAs } = isNext && last ? last : change;
    const noted = { ...change, before, madeAs };
    const known = { changes: [...(isNext ? there.slice(0, -1) : there), noted], isUndone: false };
    turns.set(turn, made && isNext ? { ...known, earlier: made.earlier } : nextOf(made, known));
    slimOld(change.workflow);
    return noted;
  }

  function slimOld(workflow: LiveWorkflow): void {
    const there = [...turns].filter(([, made]) => made.changes.some((each) => each.workflow === workflow));
    const [old, made] = there.at(-1 - mostSteps) ?? [];
    if (old !== undefined && made) turns.set(old, slimTurn(made));
  }

  function noteToggled(turn: string, changes: readonly Change[], isUndone: boolean): void {
    turns.set(turn, nextOf(turns.get(turn), { changes, isUndone }));
  }

  /** The turns that are undone or made again where the person has gone to this state of the workflow. */
  function at(workflow: LiveWorkflow, state: readonly unknown[]): string[] {
    const otherwise: string[] = [];
    for (const [turn, made] of turns) {
      const known = turnAt(made, workflow, state);
      if (!known) continue;
      turns.set(turn, known);
      if (known.isUndone !== made.isUndone) otherwise.push(turn);
    }
    return otherwise;
  }

  function stateOf(turn: string): TurnState | undefined {
    const made = turns.get(turn) ?? kept.get(turn);
    return made && (made.isUndone ? "undone" : "done");
  }

  function toKeep(): KeptTurn[] {
    const known = [...turns].map(([turn, { changes, isUndone }]) => ({
      turn,
      changes: changes.map((change) => ({
        path: change.workflow.path,
        name: change.name,
        ...onlyDifferences(afterRuns(change, change.workflow.changeTracker?.activeState)),
      })),
      isUndone,
    }));
    return [...[...kept.values()].filter(({ turn }) => !turns.has(turn)), ...known];
  }

  function restore(those: readonly KeptTurn[]): void {
    for (const each of those) kept.set(each.turn, each);
  }

  /** With what the page has written by itself for runs since, which is as much of the change. */
  function afterRuns({ workflow, before, after }: Change, now: unknown) {
    return withRunWrites({ before, after }, now, tabs.byRuns(workflow));
  }

  /** One from before a reload has changed the workflows that are open now. */
  async function find(turn: string): Promise<MadeTurn | undefined> {
    const made = turns.get(turn) ?? kept.get(turn);
    if (!made || !("turn" in made)) return made;
    const changes = made.changes.map(({ path, ...change }) => ({
      ...change,
      workflow: tabs.all().find((workflow) => workflow.path === path) ?? { path },
    }));
    for (const { workflow } of changes) if (!workflow.changeTracker) await workflow.load?.();
    const there = changes.map((each) =>
      isOther(each.workflow, each) ? { ...each, workflow: { path: each.workflow.path } } : each,
    );
    return { changes: there, isUndone: made.isUndone, earlier: [] };
  }

  return { note, noteToggled, at, stateOf, toKeep, restore, afterRuns, find };
}

/** A workflow that was cleared; ComfyUI gives it another id as it is loaded. */
const noId = "00000000-0000-0000-0000-000000000000";

/** A new workflow may have the path of one that was closed; ComfyUI gives each an id of its own. */
function isOther(
  { changeTracker }: LiveWorkflow,
  { before, after }: Pick<Change, "before" | "after">,
): boolean {
  const [now, then] = [changeTracker?.activeState, after ?? before].map((state) => Object(state).id);
  return now !== undefined && then !== undefined && then !== noId && now !== then;
}
