import { useState } from "react";
import { amountOf } from "../shared/amounts";
import { Button } from "../ui/Button";
import { Checkbox } from "../ui/Field";
import { SearchField } from "../ui/SearchField";
import type { ListedSkill, SkillPlace } from "./skillsApi";

const places: Record<ListedSkill["place"], string> = {
  own: "your own",
  elsewhere: "from elsewhere",
  package: "in the extension's folder, replaced by updates",
  "built-in": "built in",
};

interface Props {
  skills: readonly ListedSkill[];
  selected: SkillPlace | undefined;
  onSelect(skill: SkillPlace): void;
  onTurn(skill: SkillPlace, isOn: boolean): void;
}

export function SkillList({ skills, selected, onSelect, onTurn }: Props) {
  const [query, setQuery] = useState("");
  const words = query.toLowerCase().split(/\s+/);
  const found = skills.filter(({ slug, name, description, source }) => {
    const text = [slug, name, description, source].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <section className="cass-section" aria-label="All skills">
      <SearchField label="Search skills" placeholder="Search" query={query} onQuery={setQuery} />
      {found.length === 0 && <p className="cass-quiet">No skill has all of these words.</p>}
      <ul className="cass-rows cass-skill-list">
        {found.map((skill) => (
          <li key={`${skill.place} ${skill.source}`} data-off={skill.isUsed ? undefined : true}>
            <Checkbox
              label={`Use ${skill.slug}`}
              checked={skill.state === "on"}
              disabled={skill.state === "new"}
              title={
                skill.place === "built-in" ? "Comes with the assistant; one of your own takes its place" : ""
              }
              onTurn={(isOn) => onTurn(skill, isOn)}
            />
            <Button
              look="line"
              aria-current={(selected?.slug === skill.slug && selected.place === skill.place) || undefined}
              title={skill.source}
              onClick={() => onSelect(skill)}
            >
              <span>
                <code>{skill.slug}</code> <b>{skill.name}</b>
              </span>
              <small>
                {noteOf(skill)}
                {places[skill.place]} · {amountOf(skill.tokens, "token")}
              </small>
              <span className="cass-quiet">{skill.description}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function noteOf({ state, isUsed }: ListedSkill): string {
  if (state === "new") return "read and accept it · ";
  return state === "on" && !isUsed ? "replaced by another · " : "";
}
