import { type RefObject, useLayoutEffect } from "react";

/** Grows with its text; the stylesheet bounds it. `field-sizing: content` is not everywhere yet. */
export function useHeightOfContent(area: RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again for each text
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [area, text]);
}
