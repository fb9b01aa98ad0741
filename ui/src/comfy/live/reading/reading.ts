/** The whole workflow, read once for all who ask in one go. */

import { isIdentical } from "../../../graph/sameState";
import type { LiveChangeTracker, Page, SerialisedGraph } from "../page";
import { rootGraph } from "../page";
import { tellModes } from "./modes";
import { pastReactivity } from "./rawStates";

/**
 * A large workflow takes long to be read. Until other code may have changed it, which is after the present task of the
 * page or by an edit of ours, one reading serves us and ComfyUI's undo.
 */
export function createReading(page: Page) {
  let kept: SerialisedGraph | undefined;
  let captured: unknown;

  const forget = () => {
    kept = captured = undefined;
  };

  function read(): SerialisedGraph {
    if (!kept) {
      kept = pastReactivity(page, () => rootGraph(page).serialize());
      queueMicrotask(forget);
    }
    return kept;
  }

  /** What reads the workflow in here gets the one reading. */
  function atOnce(capture: () => void): void {
    const root = rootGraph(page);
    if (tellModes(root)) forget();
    const reading = read();
    const own = Object.getOwnPropertyDescriptor(root, "serialize");
    root.serialize = () => reading;
    try {
      capture();
    } finally {
      if (own) Object.defineProperty(root, "serialize", own);
      else Reflect.deleteProperty(root, "serialize");
    }
  }

  /** Has it make a step of what is there, unless it has just done so with this reading, or holds nothing else. */
  function capture(tracker: LiveChangeTracker): void {
    if (kept && captured === tracker) return;
    if (tellModes(rootGraph(page))) forget();
    if (!isIdentical(read(), tracker.activeState))
      atOnce(() => {
        tracker.beforeChange();
        tracker.afterChange();
      });
    captured = tracker;
  }

  return { read, forget, atOnce, capture };
}
