import { type RefObject, useEffect } from "react";

/** Marks where the focus goes when it has lost its element; of several the last in the document. */
export const FOCUS_HOME = { "data-focus-home": "" };

/**
 * Keeps the keyboard in `root`: when the element that has the focus is removed or disabled, the page would take it,
 * and the next key would edit the workflow. Focus that the person took elsewhere is left there.
 */
export function useKeptFocus(root: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    let focused: Element | undefined;
    const isLost = () => focused !== undefined && (!focused.isConnected || focused.matches(":disabled"));
    const onFocusIn = ({ target }: FocusEvent) => {
      focused = target instanceof Element ? target : undefined;
    };
    const onFocusOut = ({ target }: FocusEvent) =>
      // An element that is being removed is still there for the length of this event.
      queueMicrotask(() => {
        if (focused === target && !isLost()) focused = undefined;
      });
    const observer = new MutationObserver(() => {
      if (!isLost()) return;
      const holder = document.activeElement;
      const isUnclaimed = holder === null || holder === document.body || holder === focused;
      focused = undefined;
      if (!isUnclaimed) return;
      const homes = element.querySelectorAll<HTMLElement>("[data-focus-home]");
      homes.item(homes.length - 1)?.focus({ preventScroll: true });
    });
    element.addEventListener("focusin", onFocusIn);
    element.addEventListener("focusout", onFocusOut);
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    return () => {
      element.removeEventListener("focusin", onFocusIn);
      element.removeEventListener("focusout", onFocusOut);
      observer.disconnect();
    };
  }, [root]);
}
