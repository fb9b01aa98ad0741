import type { LiveChangeTracker, LiveWorkflow } from "./page";

/**
 * Edits as steps of ComfyUI's own undo stack, so that Ctrl+Z takes them back.
 *
 * ComfyUI's change tracker keeps the states before each step. Edits of one turn share the state before the first of
 * them, unless something else became a step in between, such as a change by the user. What the user changed a moment
 * ago becomes a step of its own before each edit, so that undoing the edit never takes it along.
 */
export function createUndoSteps(activeWorkflow: () => LiveWorkflow | null | undefined) {
  let latest: TurnStep | undefined;
  const steps = new Map<string, TurnStep[]>();

  const isOfTurn = (turn: string | undefined, tracker: LiveChangeTracker, top: unknown) =>
    turn !== undefined && latest?.turn === turn && latest.tracker === tracker && latest.before === top;

  function remember(turn: string | undefined, tracker: LiveChangeTracker, before: unknown): void {
    latest = turn === undefined ? undefined : { turn, tracker, before };
    if (latest) steps.set(latest.turn, [...(steps.get(latest.turn) ?? []), latest]);
  }

  /** ComfyUI takes a loaded workflow for the saved one and makes no step of it: this puts both right. */
  async function loadAsUndoStep(load: () => Promise<void>, turn?: string): Promise<void> {
    const tracker = activeWorkflow()?.changeTracker;
    if (!tracker) return load();
    captureUserChanges(tracker, latest?.before);
    const top = tracker.undoQueue.at(-1);
    const { activeState: before, initialState } = tracker;
    let isLoaded = false;
    try {
      await load();
      isLoaded = true;
    } finally {
      captureChanges(tracker);
      while (tracker.undoQueue.length > 0 && tracker.undoQueue.at(-1) !== top) tracker.undoQueue.pop();
      if (initialState !== undefined) tracker.initialState = initialState;
      if (isLoaded && !isOfTurn(turn, tracker, top)) {
        tracker.undoQueue.push(before);
        remember(turn, tracker, before);
      }
      if (isLoaded) tracker.redoQueue?.splice(0);
      tracker.updateModified?.();
    }
  }

  function asUndoStep<Result>(change: () => Result, turn?: string): Result {
    const tracker = activeWorkflow()?.changeTracker;
    if (!tracker) return change();
    captureUserChanges(tracker, latest?.before);
    const top = tracker.undoQueue.at(-1);
    tracker.beforeChange();
    try {
      return change();
    } finally {
      tracker.afterChange();
      const before = tracker.undoQueue.at(-1);
      const hasStep = before !== top;
      if (hasStep && isOfTurn(turn, tracker, top)) tracker.undoQueue.pop();
      else if (hasStep) remember(turn, tracker, before);
    }
  }

  /** The open workflow's tracker, when everything that was changed last is the turn's. */
  function undoableTracker(turn: string): LiveChangeTracker | undefined {
    const tracker = activeWorkflow()?.changeTracker;
    const made = steps.get(turn) ?? [];
    if (!tracker || made.length === 0) return undefined;
    joinLayoutSteps(tracker, made.at(-1)?.before);
    const newest = tracker.undoQueue.slice(-made.length);
    return made.every((step, index) => step.tracker === tracker && step.before === newest[index])
      ? tracker
      : undefined;
  }

  const canUndoTurn = (turn: string): boolean => undoableTracker(turn) !== undefined;

  function isTurnCovered(turn: string): boolean {
    const tracker = activeWorkflow()?.changeTracker;
    const made = steps.get(turn) ?? [];
    const isThere = (step: TurnStep) => step.tracker === tracker && tracker.undoQueue.includes(step.before);
    return made.length > 0 && made.every(isThere) && !canUndoTurn(turn);
  }

  /** False when the user has changed the workflow since, or opened another: then nothing is undone. */
  async function undoTurn(turn: string): Promise<boolean> {
    const open = activeWorkflow()?.changeTracker;
    if (open) captureUserChanges(open, steps.get(turn)?.at(-1)?.before);
    const tracker = undoableTracker(turn);
    if (!tracker?.undo) return false;
    const count = steps.get(turn)?.length ?? 0;
    steps.delete(turn);
    for (let done = 0; done < count; done++) await tracker.undo();
    return true;
  }

  return { asUndoStep, loadAsUndoStep, canUndoTurn, isTurnCovered, undoTurn };
}

interface TurnStep {
  turn: string;
  tracker: LiveChangeTracker;
  /** The state that undoing it brings back. */
  before: unknown;
}

/** Makes a step of what the user changed a moment ago. */
function captureUserChanges(tracker: LiveChangeTracker, ours: unknown): void {
  captureChanges(tracker);
  joinLayoutSteps(tracker, ours);
}

/**
 * Sizes alone are the page's doing and join our step before them, also where ComfyUI has made a step of them itself: it
 * looks for changes at every click.
 */
function joinLayoutSteps({ undoQueue, activeState }: LiveChangeTracker, ours: unknown): void {
  const index = ours === undefined ? -1 : undoQueue.lastIndexOf(ours);
  if (index < 0 || index === undoQueue.length - 1) return;
  const now = withoutLayout(activeState);
  if (undoQueue.slice(index + 1).every((state) => withoutLayout(state) === now)) undoQueue.splice(index + 1);
}

function captureChanges(tracker: LiveChangeTracker): void {
  tracker.beforeChange();
  tracker.afterChange();
}

/** The page writes these by itself, some of them only once a state has been loaded again. */
const layout = new Set(["size", "order", "ds", "workflowRendererVersion"]);

function withoutLayout(state: unknown): string {
  return JSON.stringify(state, (key, value) =>
    layout.has(key) || (key === "widgets_values" && value?.length === 0) ? undefined : value,
  );
}
