import { useState } from "react";
import { Button } from "../../ui/Button";
import type { GraphChange } from "./graphChanges";

/** Of very many the first are enough to begin with. */
const SHOWN = 12;

const signs = { added: "+", changed: "~", removed: "−" };
const words = { added: "Added", changed: "Changed", removed: "Removed" };

/** The nodes that a call has touched. */
export function GraphChangeList({ changes }: { changes: readonly GraphChange[] }) {
  const [isWhole, setIsWhole] = useState(false);
  if (changes.length === 0) return null;
  const shown = isWhole ? changes : changes.slice(0, SHOWN);
  return (
    <ul className="cass-changes" aria-label="Changed nodes">
      {shown.map(({ kind, name, what }) => (
        <li
          key={`${kind} ${name} ${what}`}
          data-change={kind}
          title={`${words[kind]}: ${name && `${name} `}${what}`}
        >
          <span role="img" aria-label={words[kind]}>
            {signs[kind]}
          </span>
          {name && <b>{name}</b>} {what}
        </li>
      ))}
      {shown.length < changes.length && (
        <li>
          <Button look="link" onClick={() => setIsWhole(true)}>
            and {changes.length - shown.length} more
          </Button>
        </li>
      )}
    </ul>
  );
}
