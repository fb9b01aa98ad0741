/** What a turn has changed, as it is known at each of the steps that ComfyUI's own undo goes through. */

import { isSame, looksOfSlots, onlyDifferences } from "../../../graph/sameState";
import type { MadeAs } from "../editing/madeAs";
import type { LiveWorkflow } from "../page";

/** What a turn did to one workflow in one go. */
export interface Change {
  workflow: LiveWorkflow;
  name: string;
  /** Undefined where the turn has opened the workflow. */
  before?: unknown;
  /** The nodes of that state; undefined where that is not known. */
  madeAs?: MadeAs;
  /** Undefined where undoing the turn has closed it. */
  after?: unknown;
}

interface KnownTurn {
  changes: readonly Change[];
  isUndone: boolean;
}

export interface MadeTurn extends KnownTurn {
  /** What was known of it before, the latest last: the person may go back to that. */
  earlier: readonly KnownTurn[];
}

/** ComfyUI keeps as many steps of a workflow. */
export const mostSteps = 50;

export function nextOf(made: MadeTurn | undefined, next: KnownTurn): MadeTurn {
  if (!made) return { ...next, earlier: [] };
  const { earlier, ...last } = made;
  return { ...next, earlier: [...earlier, last].slice(-mostSteps) };
}

/** Of one that no step leads back to any more: what differs is enough to take it back, and whole states are large. */
export function slimTurn({ changes, isUndone }: MadeTurn): MadeTurn {
  return {
    changes: changes.map((change) => ({
      ...change,
      ...onlyDifferences({ before: change.before, after: change.after }),
    })),
    isUndone,
    earlier: [],
  };
}

/** The same changes of one workflow, with what they lead from and to swapped. */
export function turnedRound(changes: readonly Change[]): Change[] {
  return changes.toReversed().map(({ workflow, name, before, after }) => ({
    ...{ workflow, name },
    before: after,
    after: before,
  }));
}

/**
 * The turn as it stands where the person has gone to a state of a workflow by ComfyUI's own undo or redo: there it has
 * just been done, or not yet. Undefined where that says nothing of it. The state comes in all its forms.
 */
export function turnAt(
  made: MadeTurn,
  workflow: LiveWorkflow,
  state: readonly unknown[],
): MadeTurn | undefined {
  const { earlier, ...now } = made;
  const isHere = (known: unknown) =>
    known !== undefined && state.some((form) => isSame(known, form, looksOfSlots));
  for (const known of [now, ...earlier.toReversed()]) {
    const [first, last] = [known.changes[0], known.changes.at(-1)];
    if (!first || !last || known.changes.some((change) => change.workflow !== workflow)) continue;
    if (isHere(last.after)) return known === now ? made : nextOf(made, known);
    if (isHere(first.before))
      return nextOf(made, { changes: turnedRound(known.changes), isUndone: !known.isUndone });
  }
  return undefined;
}
