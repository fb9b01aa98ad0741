import type { PastCompaction } from "../api/contextReplies";
import { describeCompaction } from "../shared/compactions";
import { timeOfDay } from "../shared/relativeTime";
import { CopyButton } from "../ui/CopyButton";
import { Fold } from "../ui/Fold";

const causes: Record<string, string> = {
  rule: "by rule",
  manual: "asked for",
  model: "summary by the model",
  emergency: "because a request did not fit",
  clear: "asked for",
};

/** What was condensed, newest first; each can be read. */
export function CondensedPage({ compactions }: { compactions: readonly PastCompaction[] }) {
  if (compactions.length === 0)
    return <p className="cass-quiet">Nothing summarized yet. The model sees the whole chat.</p>;
  return (
    <div className="cass-list">
      {compactions
        .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
        .map((each) => (
          <Fold
            key={each.id}
            className={each.status === "void" ? "cass-void" : ""}
            line={
              <>
                <span>{describeCompaction(each)}</span>
                <small>
                  {[
                    causes[each.cause] ?? each.cause,
                    timeOfDay(each.createdAt, new Date()),
                    each.status === "void" && "no longer in use",
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </small>
              </>
            }
          >
            <CheckpointText text={each.text} />
          </Fold>
        ))}
    </div>
  );
}

function CheckpointText({ text }: { text: string }) {
  if (!text) return <p className="cass-quiet">Only tool results were shortened, each to one line.</p>;
  return (
    <div className="cass-checkpoint">
      <CopyButton label="Copy the checkpoint" text={() => text} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable with the keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}
