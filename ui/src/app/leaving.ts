/**
 * Whether the page stays. A browser cuts the requests of a page as soon as it begins to be left, some time before it is
 * gone: what fails then says nothing of what it was about.
 */

type Listen = (type: "beforeunload" | "pagehide" | "pageshow", listener: () => void) => void;

/** The person may decide to stay, of which nobody tells the page; a busy ComfyUI may take long to send the next one. */
const LONGEST_MS = 30_000;
const LOOK_MS = 100;

/** A function that resolves at once as a rule, where the page is about to be left once it stays, and else never. */
export function createStays(listen: Listen, longest = LONGEST_MS): () => Promise<void> {
  let until = 0;
  const never = () => {
    until = Number.POSITIVE_INFINITY;
  };
  listen("beforeunload", () => {
    never();
    // ComfyUI asks about unsaved work now, and nothing runs before the answer.
    setTimeout(() => {
      until = Date.now() + longest;
    });
  });
  listen("pagehide", never);
  // A browser may bring it back as it was.
  listen("pageshow", () => {
    until = 0;
  });
  return async () => {
    while (Date.now() < until) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  };
}
