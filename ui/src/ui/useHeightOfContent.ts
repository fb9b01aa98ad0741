import { type RefObject, useLayoutEffect } from "react";

/**
 * Grows with its text; the stylesheet bounds it. Where `field-sizing: content` does that, nothing is measured: it would lay
 * out the whole conversation twice for each letter.
 */
export function useHeightOfContent(area: RefObject<HTMLTextAreaElement | null>, text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again for each text
  useLayoutEffect(() => {
    const element = area.current;
    if (!element || CSS.supports("field-sizing", "content")) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [area, text]);
}
