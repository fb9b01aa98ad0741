/** How far the parts of the panel are scrolled: an element that ComfyUI takes out of the page forgets it. */

interface Place {
  top: number;
  isAtEnd: boolean;
}

/** What it returns puts everything back where it was, once the panel has its size again. */
export function keepScroll(host: HTMLElement): () => void {
  const places = new Map<Element, Place>();
  const note = ({ target }: Event) => {
    if (!(target instanceof Element)) return;
    const { scrollTop: top, scrollHeight, clientHeight } = target;
    places.set(target, { top, isAtEnd: top + clientHeight >= scrollHeight - 1 });
  };
  host.addEventListener("scroll", note, { capture: true, passive: true });
  const putBack = (element: Element, { top, isAtEnd }: Place) => {
    element.scrollTop = isAtEnd ? element.scrollHeight : top;
  };
  return () =>
    onceSized(host, () => {
      for (const [element, place] of places)
        if (host.contains(element)) onceSized(element, () => putBack(element, place));
        else places.delete(element);
    });
}

/**
 * Before anything is drawn. One within another is called after all others of the page: a conversation goes to its end
 * when it gets a size.
 */
function onceSized(element: Element, act: () => void) {
  const observer = new ResizeObserver(() => {
    observer.disconnect();
    act();
  });
  observer.observe(element);
}
