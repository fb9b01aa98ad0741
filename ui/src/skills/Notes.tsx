import { relativeTime } from "../shared/relativeTime";
import { Flaws } from "../ui/Flaws";
import type { Listing, SkillChange } from "./skillsApi";

/** What lies among the skills and is none, then what is wrong with others. */
export function Diagnostics({ of }: { of: Listing["diagnostics"] }) {
  return [
    { title: "Not read", leavesOut: true },
    { title: "Read, with flaws", leavesOut: false },
  ].map(({ title, leavesOut }) => {
    const shown = of.filter((each) => each.leavesOut === leavesOut);
    if (shown.length === 0) return null;
    return (
      <section key={title} aria-label={title}>
        <h3>{title}</h3>
        <Flaws of={shown} />
      </section>
    );
  });
}

export function Changes({ changes, onUndo }: { changes: readonly SkillChange[]; onUndo(id: string): void }) {
  if (changes.length === 0) return null;
  return (
    <details>
      <summary>Latest changes</summary>
      <ul>
        {changes.map(({ id, what, slug, at }) => (
          <li key={id}>
            <code>{slug}</code> {what} <small>{relativeTime(new Date(at * 1000), new Date())}</small>{" "}
            <button
              type="button"
              className="cass-link"
              aria-label={`Undo: ${slug} ${what}`}
              onClick={() => onUndo(id)}
            >
              Undo
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
