import type { LiveChangeTracker, LiveWorkflow } from "./page";

/**
 * Edits as steps of ComfyUI's own undo stack, so that Ctrl+Z takes them back.
 *
 * ComfyUI's change tracker keeps the states before each step. Edits of one turn share the state before the first of
 * them, unless something else became a step in between, such as a change by the user.
 */
export function createUndoSteps(activeWorkflow: () => LiveWorkflow | null | undefined) {
  let latest: { turn: string; tracker: LiveChangeTracker; before: unknown } | undefined;

  return function asUndoStep<Result>(change: () => Result, turn?: string): Result {
    const tracker = activeWorkflow()?.changeTracker;
    if (!tracker) return change();
    const top = tracker.undoQueue.at(-1);
    tracker.beforeChange();
    try {
      return change();
    } finally {
      tracker.afterChange();
      const before = tracker.undoQueue.at(-1);
      const hasStep = before !== top;
      if (
        hasStep &&
        turn !== undefined &&
        latest?.turn === turn &&
        latest.tracker === tracker &&
        latest.before === top
      )
        tracker.undoQueue.pop();
      else if (hasStep) latest = turn === undefined ? undefined : { turn, tracker, before };
    }
  };
}
