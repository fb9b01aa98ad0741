import type { ContextReport } from "../api/contextReplies";
import { IconButton } from "../ui/IconButton";
import { describeUse, levelOf, shareInUse } from "./measures";

const RADIUS = 6;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/** How full the context is, at a glance; opens the view that tells of what. */
export function ContextRing({ report, onOpen }: { report: ContextReport; onOpen(): void }) {
  const description = describeUse(report);
  const filled = Math.min(1, shareInUse(report)) * CIRCUMFERENCE;
  return (
    <IconButton
      className="cass-ring"
      data-level={levelOf(report)}
      label={`${description}. Show the context`}
      title={description}
      onClick={onOpen}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle className="cass-ring-track" cx="8" cy="8" r={RADIUS} />
        <circle
          className="cass-ring-share"
          cx="8"
          cy="8"
          r={RADIUS}
          strokeDasharray={`${filled} ${CIRCUMFERENCE}`}
          transform="rotate(-90 8 8)"
        />
      </svg>
    </IconButton>
  );
}
