/** The moment after an edit, in which packs finish the nodes that were made. */

import { listsFetched } from "./fetchedLists";
import type { Page } from "./page";

/** Of a page in the background, which draws no frames. */
const longest = 100;
const ofPerson = ["pointerdown", "pointermove", "keydown"] as const;

/** Two frames and until fetched choices are there, or until the person does something. */
export function quiet(page: Page): Promise<void> {
  const window = page.app.canvas.canvas.ownerDocument.defaultView;
  if (!window) return Promise.resolve();
  return new Promise((resolve) => {
    let isOver = false;
    const end = () => {
      isOver = true;
      clearTimeout(timer);
      for (const type of ofPerson) window.removeEventListener(type, hear, true);
      resolve();
    };
    const drawn = () => {
      clearTimeout(timer);
      void listsFetched(page, () => isOver).then(end);
    };
    const hear = (event: Event) => {
      if (event.type !== "pointermove" || (event as PointerEvent).buttons > 0) end();
    };
    const timer = setTimeout(drawn, longest);
    for (const type of ofPerson) window.addEventListener(type, hear, true);
    // Behind the timers that are due by then: a busy page draws before it runs them.
    window.requestAnimationFrame(() => window.requestAnimationFrame(() => setTimeout(drawn)));
  });
}
