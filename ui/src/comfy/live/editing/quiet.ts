/** The moment after an edit, in which packs finish the nodes that were made. */

import { listsFetched } from "../files/fetchedLists";
import type { Page } from "../page";
import { hearPerson } from "../person";

/** Of a page in the background, which draws no frames. */
const longest = 100;

/** Two frames and until fetched choices are there, or until the person does something. */
export function quiet(page: Page): Promise<void> {
  const window = page.app.canvas.canvas.ownerDocument.defaultView;
  if (!window) return Promise.resolve();
  return new Promise((resolve) => {
    let isOver = false;
    const end = () => {
      isOver = true;
      stopHearing();
      resolve();
    };
    const stopHearing = hearPerson(window, end);
    void drawn(window)
      .then(() => listsFetched(page, () => isOver))
      .then(end);
  });
}

function drawn(window: Window): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, longest);
    // Behind the timers that are due by then: a busy page draws before it runs them.
    window.requestAnimationFrame(() => window.requestAnimationFrame(() => setTimeout(resolve)));
  });
}
