import { wordPatterns } from "./searchExcerpt";

const SHOWN_MS = 2500;
/** As the stylesheet calls it. */
const HIGHLIGHT = "cass-found-word";

/** Scrolls a message to where it has the longest word of `query`, else into view, and marks both for a moment. */
export function showFound(message: Element, query: string): void {
  const place = placeOf(message, query);
  message.scrollIntoView({ block: "center" });
  if (place) {
    place.startContainer.parentElement?.closest("details")?.setAttribute("open", "");
    scrollTo(place, message.closest(".cass-viewport"));
    if ("highlights" in CSS) CSS.highlights.set(HIGHLIGHT, new Highlight(place));
  }
  message.classList.add("cass-revealed");
  setTimeout(() => {
    message.classList.remove("cass-revealed");
    if ("highlights" in CSS) CSS.highlights.delete(HIGHLIGHT);
  }, SHOWN_MS);
}

/** A message may be far taller than what shows it. */
function scrollTo(place: Range, viewport: Element | null): void {
  if (!viewport) return;
  const { top, height } = viewport.getBoundingClientRect();
  viewport.scrollTop += place.getBoundingClientRect().top - top - height / 2;
}

function placeOf(message: Element, query: string): Range | undefined {
  for (const word of wordPatterns(query)) {
    const pattern = new RegExp(word, "iu");
    const texts = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const match = pattern.exec(node.nodeValue ?? "");
      if (!match) continue;
      const place = document.createRange();
      place.setStart(node, match.index);
      place.setEnd(node, match.index + match[0].length);
      return place;
    }
  }
  return undefined;
}
