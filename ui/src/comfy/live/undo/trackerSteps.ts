/** The steps on ComfyUI's own undo stack: made, joined and dropped. */

import { isSame, looksOfSlots } from "../../../graph/sameState";
import type { LiveChangeTracker } from "../page";

/**
 * Sizes and looks alone are the page's doing and join our step before them, also where ComfyUI has made a step of them itself: it
 * looks for changes at every click.
 */
export function joinLayoutSteps({ undoQueue, activeState }: LiveChangeTracker, ours: unknown): void {
  const index = ours === undefined ? -1 : undoQueue.lastIndexOf(ours);
  if (index < 0 || index === undoQueue.length - 1) return;
  if (undoQueue.slice(index + 1).every((state) => isSame(state, activeState, looksOfSlots)))
    undoQueue.splice(index + 1);
}

/** Those that were made since this one was the newest, unless the person has gone back past it. */
export function dropStepsAfter({ undoQueue }: LiveChangeTracker, top: unknown): void {
  const index = undoQueue.lastIndexOf(top as (typeof undoQueue)[number]);
  if (top === undefined || index >= 0) undoQueue.splice(index + 1);
}

export function captureChanges(tracker: LiveChangeTracker): void {
  tracker.beforeChange();
  tracker.afterChange();
}
