import { useState } from "react";
import { Button } from "../ui/Button";

/** Beyond this a text is folded, so that a list of texts can be looked over. */
const LINES = 6;
const CHARACTERS = 600;

/** A text exactly as it is; a long one shows its beginning until it is opened. */
export function LongText({ text, label }: { text: string; label: string }) {
  const [open, setOpen] = useState(false);
  const beginning = text.split("\n", LINES).join("\n").slice(0, CHARACTERS);
  const isLong = beginning.length < text.length;
  return (
    <section className="cass-long-text" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable with the keyboard */}
      <pre tabIndex={0}>{open || !isLong ? text : `${beginning}…`}</pre>
      {isLong && (
        <Button look="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Show less" : `Show all ${text.length.toLocaleString("en")} characters`}
        </Button>
      )}
    </section>
  );
}
