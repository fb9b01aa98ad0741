import type { DataMessagePartProps } from "@assistant-ui/react";
import { useId, useState } from "react";
import { compaction } from "../../api/contextReplies";
import { detailsOf } from "../../api/errors";
import { describeCompaction } from "../../shared/compactions";
import { Button } from "../../ui/Button";
import { useChatEnvironment } from "../chatContext";
import { useThreadId } from "../threads/useThreadId";

type Shown = { kind: "folded" } | { kind: "loading" } | { kind: "text"; text: string };

/** Where older parts of the conversation were condensed, and on demand to what. */
export function CompactionDivider({ data }: DataMessagePartProps) {
  const { checkpointText } = useChatEnvironment();
  const threadId = useThreadId();
  const [shown, setShown] = useState<Shown>({ kind: "folded" });
  const bodyId = useId();
  const parsed = compaction.safeParse(data);
  if (!parsed.success) return null;
  const { id } = parsed.data;
  const isOpen = shown.kind !== "folded";
  function toggle() {
    if (isOpen || threadId === undefined) return setShown({ kind: "folded" });
    setShown({ kind: "loading" });
    checkpointText(threadId, id).then(
      (text) => setShown({ kind: "text", text }),
      (error: unknown) => setShown({ kind: "text", text: detailsOf(error).message }),
    );
  }
  return (
    <div className="cass-compaction">
      <p>
        <span>{describeCompaction(parsed.data)} · </span>
        <Button look="link" aria-expanded={isOpen} aria-controls={bodyId} onClick={toggle}>
          {isOpen ? "Hide" : "Show"}
        </Button>
      </p>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable with the keyboard
        <pre className="cass-plain-text" id={bodyId} tabIndex={0}>
          {shown.kind === "text" ? shown.text : "Loading…"}
        </pre>
      )}
    </div>
  );
}
