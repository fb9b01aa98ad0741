import { Button } from "../ui/Button";
import { chooseLook, looks, useLook } from "../ui/look";
import { Section } from "../ui/Section";

/** How the panel looks in this browser. */
export function LookChoice() {
  const look = useLook();
  return (
    <Section title="Look">
      <div className="cass-buttons">
        {looks.map(({ name, label }) => (
          <Button key={name} look="chip" aria-pressed={name === look} onClick={() => chooseLook(name)}>
            {label}
          </Button>
        ))}
      </div>
    </Section>
  );
}
