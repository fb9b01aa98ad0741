/** When the person does something in the page, told before the page hears of it. */

const acts = ["pointerdown", "pointermove", "pointerup", "keydown", "beforeinput", "drop"] as const;

const first = { capture: true };
/** What is done in there changes no workflow but by our own doing. */
const ownPanel = ".cass-root";

/** Calls with each of their acts; a pointer that only moves is none. What it returns ends that. */
export function hearPerson(window: Window, listener: () => void): () => void {
  const hear = (event: Event) => {
    if (event.type === "pointermove" && (event as PointerEvent).buttons === 0) return;
    if (!(event.target as Partial<Element> | null)?.closest?.(ownPanel)) listener();
  };
  for (const type of acts) window.addEventListener(type, hear, first);
  return () => {
    for (const type of acts) window.removeEventListener(type, hear, first);
  };
}
