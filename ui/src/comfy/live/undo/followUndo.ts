/** Where the person goes by ComfyUI's own undo and redo: by keys, menus and commands. */

import { isSame } from "../../../graph/sameState";
import type { LiveChangeTracker, LiveWorkflow } from "../page";

interface Listener {
  begins(): void;
  /** To this state of the workflow, in all the forms that it has had. */
  wentTo(workflow: LiveWorkflow, state: readonly unknown[]): void;
}

/**
 * A state that is loaded again is not the same to the letter: a page of 1.58 keeps what it has loaded in the place of what
 * it had kept. Which of its states it went to is told by the one that leaves the stack.
 */
export function createFollowUndo({ begins, wentTo }: Listener) {
  const followed = new WeakSet<LiveChangeTracker>();
  /** By each state that was loaded: what it was before. */
  const formsOf = new WeakMap<object, readonly unknown[]>();

  function forms(state: object): readonly unknown[] {
    const earlier = formsOf.get(state) ?? [];
    return earlier.some((form) => isSame(form, state)) ? earlier : [state, ...earlier];
  }

  return function follow(workflow: LiveWorkflow, tracker: LiveChangeTracker): void {
    if (followed.has(tracker)) return;
    followed.add(tracker);
    /** A second press does not overtake the first. */
    let going: Promise<void> | undefined;
    for (const name of ["undo", "redo"] as const) {
      const go = tracker[name];
      if (!go) continue;
      const goes = async () => {
        begins();
        const states = (name === "undo" ? tracker.undoQueue : tracker.redoQueue) ?? [];
        const [count, state] = [states.length, states.at(-1)];
        await go.call(tracker);
        const shown = tracker.activeState;
        if (states.length >= count || !state || !shown) return;
        formsOf.set(shown, forms(state));
        wentTo(workflow, forms(shown));
      };
      tracker[name] = () => {
        const gone = going ? going.then(goes, goes) : goes();
        going = gone;
        const end = () => {
          if (going === gone) going = undefined;
        };
        gone.then(end, end);
        return gone;
      };
    }
  };
}
