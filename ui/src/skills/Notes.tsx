import { relativeTime } from "../shared/relativeTime";
import { Button } from "../ui/Button";
import { Flaws } from "../ui/Flaws";
import { Fold } from "../ui/Fold";
import { Section } from "../ui/Section";
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
      <Section key={title} title={title}>
        <Flaws of={shown} />
      </Section>
    );
  });
}

export function Changes({ changes, onUndo }: { changes: readonly SkillChange[]; onUndo(id: string): void }) {
  if (changes.length === 0) return null;
  return (
    <Fold line={<span>Latest changes</span>}>
      <ul className="cass-rows">
        {changes.map(({ id, what, slug, at }) => (
          <li key={id}>
            <span>
              <code>{slug}</code> {what} <small>{relativeTime(new Date(at * 1000), new Date())}</small>
            </span>
            <Button look="plain" aria-label={`Undo: ${slug} ${what}`} onClick={() => onUndo(id)}>
              Undo
            </Button>
          </li>
        ))}
      </ul>
    </Fold>
  );
}
