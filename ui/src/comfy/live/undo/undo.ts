/** Edits as steps of ComfyUI's own undo stack, and turns that are taken back and made again. */

import { isSame } from "../../../graph/sameState";
import { createTaskQueue } from "../../../shared/taskQueue";
import type { Comfy } from "../../bridge";
import type { LiveChangeTracker } from "../page";
import { createFollowUndo } from "./followUndo";
import type { Change } from "./madeTurn";
import { createMadeTurns } from "./madeTurns";
import type { OpenTabs, Steps } from "./openTabs";
import { LoadedOtherwise, planToggle, toggle } from "./toggleTurn";
import { captureChanges, dropStepsAfter, joinLayoutSteps } from "./trackerSteps";

/**
 * ComfyUI's change tracker keeps the states before each step. Edits of one turn share the state before the first of
 * them, unless something else became a step in between, such as a change by the user. What the user changed a moment
 * ago becomes a step of its own before each edit, so that undoing the edit never takes it along.
 *
 * What takes a while, such as loading a workflow, is done one after the other: each begins with what the one before has
 * left.
 *
 * A turn is taken back by what it has changed, and not from the top of that stack: in any order, in several workflows,
 * and what the person has done since stays. Where the person goes through that stack by ComfyUI's own undo and redo, it
 * is known of each turn whether it is done there.
 */
export function createUndoSteps(tabs: OpenTabs) {
  let latest: { turn: string; tracker: LiveChangeTracker; before: unknown } | undefined;
  const turns = createMadeTurns(tabs);
  const follow = createFollowUndo({
    begins: endEdit,
    wentTo: (workflow, state) => tabs.wentTo(turns.at(workflow, state)),
  });
  let newest: { change: Change; tracker: LiveChangeTracker; top: unknown } | undefined;
  /** Until the person does something, what the page puts into the newest step belongs to it. */
  let stopHearing = () => {};
  /** Ends the step of the newest edit, which packs may be finishing yet. */
  let endUnfinished: (() => void) | undefined;
  let quiet: Promise<void> = Promise.resolve();
  const inOrder = createTaskQueue();

  function endEdit(): void {
    const end = endUnfinished;
    endUnfinished = undefined;
    end?.();
    takeInSquashed();
  }

  const isOfTurn = (turn: string | undefined, tracker: LiveChangeTracker, top: unknown) =>
    turn !== undefined && latest?.turn === turn && latest.tracker === tracker && latest.before === top;

  function note(turn: string | undefined, change: Change): void {
    if (turn === undefined || isSame(change.before, change.after)) return;
    const noted = turns.note(turn, change);
    const tracker = change.workflow.changeTracker;
    newest = tracker ? { change: noted, tracker, top: tracker.undoQueue.at(-1) } : undefined;
    stopHearing();
    stopHearing = tabs.hearPerson(() => {
      takeInSquashed();
      newest = undefined;
      stopHearing();
    });
  }

  /** A page of 1.58 puts what changes within 50 ms of a step into that step: it has another state then, and no step more. */
  function takeInSquashed(): void {
    if (newest && newest.tracker.undoQueue.at(-1) === newest.top)
      newest.change.after = newest.tracker.activeState;
  }

  /** Where a step of the open workflow begins; what it returns makes one step of all that happened meanwhile. */
  function beginStep(turn: string | undefined): EndStep | undefined {
    endEdit();
    const workflow = tabs.active();
    const tracker = workflow?.changeTracker;
    if (!workflow || !tracker) return undefined;
    follow(workflow, tracker);
    captureUserChanges(tracker);
    const top = tracker.undoQueue.at(-1);
    const before = tracker.activeState;
    const madeAs = tabs.madeAs();
    return (happened, capture) => {
      if (capture) tabs.atOnce(() => capture(tracker));
      // A page of 1.32 would take what another workflow holds for the state of this one.
      else if (tabs.active() === workflow) tabs.atOnce(() => captureChanges(tracker));
      // Not by its steps: a page of 1.58 may have put the change into the step before it.
      const hasStep = happened === "certainly" || tracker.activeState !== before;
      dropStepsAfter(tracker, top);
      if (!hasStep || happened === "nothing") return;
      if (!isOfTurn(turn, tracker, top)) {
        tracker.undoQueue.push(before);
        latest = turn === undefined ? undefined : { turn, tracker, before };
      }
      tracker.redoQueue?.splice(0);
      note(turn, { workflow, name: workflow.filename ?? "", before, madeAs, after: tracker.activeState });
    };
  }

  /** ComfyUI takes a loaded workflow for the saved one and makes no step of it: this puts both right. */
  async function loadAsUndoStep(load: () => Promise<void>, turn?: string): Promise<void> {
    const endStep = beginStep(turn);
    const tracker = tabs.active()?.changeTracker;
    const initialState = tracker?.initialState;
    let isLoaded = false;
    try {
      await load();
      isLoaded = true;
    } finally {
      endStep?.(isLoaded ? "certainly" : "nothing");
      if (tracker && initialState !== undefined) tracker.initialState = initialState;
      tracker?.updateModified?.();
    }
  }

  async function openAsTurn(open: () => Promise<void>, turn?: string): Promise<void> {
    endEdit();
    await open();
    const workflow = tabs.active();
    if (workflow)
      note(turn, { workflow, name: workflow.filename ?? "", after: workflow.changeTracker?.activeState });
  }

  /** What packs do to the nodes a moment later belongs to the step, which ends then. */
  function asUndoStep<Result>(change: () => Result, turn?: string): Result {
    const endStep = beginStep(turn);
    const tracker = tabs.active()?.changeTracker;
    tracker?.beforeChange();
    endUnfinished = () => endStep?.(undefined, () => tracker?.afterChange());
    try {
      const result = change();
      quiet = tabs.quiet();
      void quiet.then(endEdit);
      return result;
    } catch (error) {
      endEdit();
      throw error;
    }
  }

  /** Reads where the step of the newest edit has just ended, which is one reading of the workflow for both. */
  async function finished<Result>(read: () => Result): Promise<Result> {
    await quiet;
    endEdit();
    return read();
  }

  /**
   * What the page itself changes while it queues a run, such as seeds. What the person does meanwhile ends the step;
   * where the page is about to change something once more, it calls `goesOn`.
   */
  async function runAsTurn<Result>(
    run: (goesOn: () => void) => Promise<Result>,
    turn?: string,
  ): Promise<Result> {
    if (turn === undefined) return run(() => {});
    let isOpen = false;
    const begin = () => {
      if (isOpen) return;
      const endStep = beginStep(turn);
      isOpen = true;
      endUnfinished = () => {
        isOpen = false;
        endStep?.();
      };
    };
    begin();
    const stop = tabs.hearPerson(endEdit);
    try {
      return await run(begin);
    } finally {
      stop();
      endEdit();
    }
  }

  const turnState: Comfy["turnState"] = (turn) => {
    endEdit();
    return turns.stateOf(turn);
  };

  const keptTurns: Comfy["keptTurns"] = () => {
    endEdit();
    return turns.toKeep();
  };

  /** Says what is in the way; then nothing is changed. */
  async function toggleTurn(turn: string): Promise<string[]> {
    endEdit();
    const made = await turns.find(turn);
    if (!made) return ["the page does not know any more what it changed"];
    const active = tabs.active()?.changeTracker;
    if (active) captureUserChanges(active);
    const plan = planToggle(made.changes, tabs, turns);
    if (plan.inTheWay.length > 0) return plan.inTheWay;
    latest = undefined;
    const { changes, otherwise } = await toggle(plan, made.changes, tabs, steps);
    turns.noteToggled(turn, changes, !made.isUndone);
    if (otherwise.length > 0)
      throw new LoadedOtherwise(otherwise, made.isUndone ? "made again" : "taken back");
    return [];
  }

  /** Makes a step of what the user changed a moment ago. */
  function captureUserChanges(tracker: LiveChangeTracker): void {
    tabs.capture(tracker);
    joinLayoutSteps(tracker, latest?.before);
  }

  const steps: Steps = { asUndoStep, finished, loadAsUndoStep, openAsTurn };

  return {
    asUndoStep,
    endEdit,
    finished,
    keptTurns,
    restoreTurns: turns.restore,
    turnState,
    loadAsUndoStep: (load: () => Promise<void>, turn?: string) => inOrder(() => loadAsUndoStep(load, turn)),
    openAsTurn: (open: () => Promise<void>, turn?: string) => inOrder(() => openAsTurn(open, turn)),
    runAsTurn: <Result>(run: (goesOn: () => void) => Promise<Result>, turn?: string) =>
      inOrder(() => runAsTurn(run, turn)),
    toggleTurn: (turn: string) => inOrder(() => toggleTurn(turn)),
  };
}

type EndStep = (happened?: "certainly" | "nothing", capture?: (tracker: LiveChangeTracker) => void) => void;
