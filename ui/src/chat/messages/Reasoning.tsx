import type { ReasoningMessagePartProps } from "@assistant-ui/react";
import { useEffect, useId, useState } from "react";
import { ChevronIcon } from "../../ui/icons";

/** What the model thought, folded to one line. */
export function Reasoning({ text, status }: ReasoningMessagePartProps) {
  const running = status.type === "running";
  const seconds = useSecondsSpent(running);
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  if (!text.trim() && !running) return null;
  return (
    <div className="cass-reasoning">
      <button type="button" aria-expanded={open} aria-controls={bodyId} onClick={() => setOpen(!open)}>
        <span className={running ? "cass-shimmer" : undefined}>
          {running ? "Thinking…" : thoughtFor(seconds)}
        </span>
        <span className="cass-chevron">
          <ChevronIcon />
        </span>
      </button>
      {open && (
        <div className="cass-reasoning-text" id={bodyId}>
          {text}
        </div>
      )}
    </div>
  );
}

/** Unknown for an answer that was already there when the page was loaded. */
function useSecondsSpent(running: boolean): number | undefined {
  const [began] = useState(() => (running ? Date.now() : undefined));
  const [spent, setSpent] = useState<number>();
  useEffect(() => {
    if (!running && began !== undefined) setSpent(Math.round((Date.now() - began) / 1000));
  }, [running, began]);
  return spent;
}

function thoughtFor(seconds: number | undefined): string {
  if (seconds === undefined) return "Thought about it";
  if (seconds < 60) return `Thought for ${Math.max(1, seconds)} s`;
  return `Thought for ${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
