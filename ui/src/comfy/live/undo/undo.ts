/** Edits as steps of ComfyUI's own undo stack, and turns that are taken back and made again. */

import { isSame, looksOfSlots, onlyDifferences } from "../../../graph/sameState";
import type { takeBack } from "../../../graph/takeBack";
import { type IsByRun, withRunWrites } from "../../../graph/writtenByRuns";
import { few } from "../../../shared/few";
import { createTaskQueue } from "../../../shared/taskQueue";
import type { Comfy, KeptTurn } from "../../bridge";
import type { MadeAs } from "../editing/madeAs";
import type { LiveChangeTracker, LiveWorkflow } from "../page";
import { createFollowUndo } from "./followUndo";
import { type Change, type MadeTurn, mostSteps, nextOf, slimTurn, turnAt, turnedRound } from "./madeTurn";

/** The page: the workflows that are open, and what is done with them when a turn is taken back. */
export interface OpenTabs {
  /** Resolves when nodes that were just made are as the packs want them, or the person does something. */
  quiet(): Promise<void>;
  /** Before the page hears what the person does. What it returns ends that. */
  hearPerson(listener: () => void): () => void;
  /** Lets ComfyUI read the workflow, which costs nothing where it was just read. */
  atOnce(capture: () => void): void;
  /** Has it make a step of what the person changed, if they did. */
  capture(tracker: LiveChangeTracker): void;
  /** Of the open workflow. */
  madeAs(): MadeAs;
  /** What the page has written by itself for runs. */
  byRuns(workflow: LiveWorkflow): IsByRun;
  active(): LiveWorkflow | null | undefined;
  all(): readonly LiveWorkflow[];
  /** What brings a workflow to the front and a state into it, as one step. */
  show(steps: Steps): Promise<(workflow: LiveWorkflow, state: unknown, madeAs?: MadeAs) => Promise<void>>;
  open(name: string, state: unknown, steps: Steps): Promise<void>;
  close(workflow: LiveWorkflow): Promise<void>;
  /** The person has gone to another state of the open workflow by ComfyUI's own undo: these turns are undone or made again by it. */
  wentTo(turns: readonly string[]): void;
}

/** What makes steps of what is done to the page in the midst of taking a turn back. */
export interface Steps {
  asUndoStep<Result>(change: () => Result): Result;
  finished<Result>(read: () => Result): Promise<Result>;
  loadAsUndoStep(load: () => Promise<void>, turn?: string): Promise<void>;
  openAsTurn(open: () => Promise<void>, turn?: string): Promise<void>;
}

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
  const turns = new Map<string, MadeTurn>();
  /** Of the same page before it was loaded anew: with paths in the place of workflows. */
  const kept = new Map<string, KeptTurn>();
  const follow = createFollowUndo({ begins: endEdit, wentTo });
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
    const made = turns.get(turn);
    const there = made?.isUndone ? [] : (made?.changes ?? []);
    const last = there.at(-1);
    const isNext = last?.workflow === change.workflow && isSame(last.after, change.before, looksOfSlots);
    const { before, madeAs } = isNext && last ? last : change;
    const noted = { ...change, before, madeAs };
    const known = { changes: [...(isNext ? there.slice(0, -1) : there), noted], isUndone: false };
    turns.set(turn, made && isNext ? { ...known, earlier: made.earlier } : nextOf(made, known));
    const tracker = change.workflow.changeTracker;
    newest = tracker ? { change: noted, tracker, top: tracker.undoQueue.at(-1) } : undefined;
    stopHearing();
    stopHearing = tabs.hearPerson(() => {
      takeInSquashed();
      newest = undefined;
      stopHearing();
    });
    slimOld(change.workflow);
  }

  function slimOld(workflow: LiveWorkflow): void {
    const there = [...turns].filter(([, made]) => made.changes.some((each) => each.workflow === workflow));
    const [old, made] = there.at(-1 - mostSteps) ?? [];
    if (old !== undefined && made) turns.set(old, slimTurn(made));
  }

  /** A page of 1.58 puts what changes within 50 ms of a step into that step: it has another state then, and no step more. */
  function takeInSquashed(): void {
    if (newest && newest.tracker.undoQueue.at(-1) === newest.top)
      newest.change.after = newest.tracker.activeState;
  }

  function wentTo(workflow: LiveWorkflow, state: readonly unknown[]): void {
    const otherwise: string[] = [];
    for (const [turn, made] of turns) {
      const known = turnAt(made, workflow, state);
      if (!known) continue;
      turns.set(turn, known);
      if (known.isUndone !== made.isUndone) otherwise.push(turn);
    }
    tabs.wentTo(otherwise);
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
    const made = turns.get(turn) ?? kept.get(turn);
    return made && (made.isUndone ? "undone" : "done");
  };

  const keptTurns: Comfy["keptTurns"] = () => {
    endEdit();
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
  };

  const afterRuns = ({ workflow, before, after }: Change, now: unknown) =>
    withRunWrites({ before, after }, now, tabs.byRuns(workflow));

  const restoreTurns: Comfy["restoreTurns"] = (those) => {
    for (const each of those) kept.set(each.turn, each);
  };

  /** Of a turn from before a reload, in the workflows that are open now. */
  async function foundAgain(turn: string): Promise<MadeTurn | undefined> {
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

  /** Says what is in the way; then nothing is changed. */
  async function toggleTurn(turn: string): Promise<string[]> {
    endEdit();
    const { takeBack } = await import("../../../graph/takeBack");
    const { runsOtherwise } = await import("../../../graph/runsOtherwise");
    const made = await foundAgain(turn);
    const show = await tabs.show(steps);
    if (!made) return ["the page does not know any more what it changed"];
    const active = tabs.active()?.changeTracker;
    if (active) captureUserChanges(active);
    const { states, madeAs, closing, inTheWay } = planned(made.changes, takeBack);
    if (inTheWay.length > 0) return inTheWay;
    latest = undefined;
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
        changes.push(...turnedRound(made.changes.filter((change) => change.workflow === workflow)));
        continue;
      }
      const before = tabs.active() === workflow ? tabs.madeAs() : undefined;
      await show(workflow, state, new Map([...(before ?? []), ...(madeAs.get(workflow) ?? [])]));
      const shown = workflow.changeTracker?.activeState;
      checkNodes(name, shown, state);
      otherwise.push(...runsOtherwise(state, shown));
      changes.push({
        ...{ workflow, name, before: now, after: workflow.changeTracker?.activeState },
        ...(before && { madeAs: before }),
      });
    }
    // Where the turn began, so that the person is not left in a tab that it had nothing to do with.
    const next = [...made.changes.map(({ workflow }) => workflow), ...tabs.all()].find(
      (each) => tabs.all().includes(each) && !closing.has(each),
    );
    for (const workflow of closing) {
      if (next && tabs.active() === workflow) await show(next, next.changeTracker?.activeState);
      await tabs.close(workflow);
    }
    for (const { name, before } of made.changes.filter(({ after }) => after === undefined)) {
      await tabs.open(name, before, steps);
      const workflow = tabs.active();
      if (workflow) changes.push({ workflow, name, after: workflow.changeTracker?.activeState });
    }
    turns.set(turn, nextOf(turns.get(turn), { changes, isUndone: !made.isUndone }));
    if (otherwise.length > 0) throw new LoadedOtherwise(otherwise);
    return [];
  }

  /** What each workflow becomes without these changes. */
  function planned(changes: readonly Change[], takenBack: typeof takeBack) {
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
        const taken = takenBack({ before, after }, now);
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
    restoreTurns,
    turnState,
    loadAsUndoStep: (load: () => Promise<void>, turn?: string) => inOrder(() => loadAsUndoStep(load, turn)),
    openAsTurn: (open: () => Promise<void>, turn?: string) => inOrder(() => openAsTurn(open, turn)),
    runAsTurn: <Result>(run: (goesOn: () => void) => Promise<Result>, turn?: string) =>
      inOrder(() => runAsTurn(run, turn)),
    toggleTurn: (turn: string) => inOrder(() => toggleTurn(turn)),
  };
}

type EndStep = (happened?: "certainly" | "nothing", capture?: (tracker: LiveChangeTracker) => void) => void;

/** It was done; but packs convert what they load, or the page does. */
class LoadedOtherwise extends Error {
  constructor(what: readonly string[]) {
    super(
      `It was taken back, but ComfyUI has loaded otherwise than it was: ${few(what, mostNamed)}. Look at these nodes, or press Ctrl+Z on the canvas.`,
    );
  }
}

const mostNamed = 8;

/** A new workflow may have the path of one that was closed; ComfyUI gives each an id of its own. */
function isOther(
  { changeTracker }: LiveWorkflow,
  { before, after }: Pick<Change, "before" | "after">,
): boolean {
  const [now, then] = [changeTracker?.activeState, after ?? before].map((state) => Object(state).id);
  return now !== undefined && then !== undefined && now !== then;
}

/** The page swallows what goes wrong while it loads a state. Packs may make other types of old nodes. */
function checkNodes(name: string, shown: unknown, wanted: unknown): void {
  const [has, should] = [shown, wanted].map((state) => {
    const { nodes = [] } = Object(state) as { nodes?: { id: unknown }[] };
    return nodes.map(({ id }) => String(id)).sort();
  });
  if (!isSame(has, should))
    throw new Error(
      `ComfyUI did not take “${name}” back whole: it has other nodes than it should. Press Ctrl+Z on the canvas to go back to what was there.`,
    );
}

/**
 * Sizes and looks alone are the page's doing and join our step before them, also where ComfyUI has made a step of them itself: it
 * looks for changes at every click.
 */
function joinLayoutSteps({ undoQueue, activeState }: LiveChangeTracker, ours: unknown): void {
  const index = ours === undefined ? -1 : undoQueue.lastIndexOf(ours);
  if (index < 0 || index === undoQueue.length - 1) return;
  if (undoQueue.slice(index + 1).every((state) => isSame(state, activeState, looksOfSlots)))
    undoQueue.splice(index + 1);
}

/** Those that were made since this one was the newest, unless the person has gone back past it. */
function dropStepsAfter({ undoQueue }: LiveChangeTracker, top: unknown): void {
  const index = undoQueue.lastIndexOf(top as (typeof undoQueue)[number]);
  if (top === undefined || index >= 0) undoQueue.splice(index + 1);
}

function captureChanges(tracker: LiveChangeTracker): void {
  tracker.beforeChange();
  tracker.afterChange();
}
