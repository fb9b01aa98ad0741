/** The moment after an edit, in which packs finish the nodes that were made. */

import type { Page } from "./page";

/** Of a page in the background, which draws no frames. */
const longest = 100;
const ofPerson = ["pointerdown", "pointermove", "keydown"] as const;

/** Two frames, or until the person does something. */
export function quiet({ app }: Page): Promise<void> {
  const window = app.canvas.canvas.ownerDocument.defaultView;
  if (!window) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      for (const type of ofPerson) window.removeEventListener(type, hear, true);
      resolve();
    };
    const hear = (event: Event) => {
      if (event.type !== "pointermove" || (event as PointerEvent).buttons > 0) end();
    };
    const timer = setTimeout(end, longest);
    for (const type of ofPerson) window.addEventListener(type, hear, true);
    // Behind the timers that are due by then: a busy page draws before it runs them.
    window.requestAnimationFrame(() => window.requestAnimationFrame(() => setTimeout(end)));
  });
}
