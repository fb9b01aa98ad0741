import { useCallback } from "react";
import type { ContextApi } from "../api/contextApi";
import type { Skills } from "../api/skills";
import { useLoaded, WhenLoaded } from "./useLoaded";

/** The skills that there are, what lies among them and is none, and what is wrong with others. */
export function SkillsPage({ api }: { api: ContextApi }) {
  const loading = useLoaded(useCallback(() => api.skills(), [api]));
  return <WhenLoaded loading={loading}>{(found) => <SkillList {...found} />}</WhenLoaded>;
}

export function SkillList({ skills, diagnostics }: Skills) {
  return (
    <div className="cass-goals">
      <Diagnostics title="Not read" of={diagnostics.filter(({ leavesOut }) => leavesOut)} />
      <Diagnostics title="Read, with flaws" of={diagnostics.filter(({ leavesOut }) => !leavesOut)} />
      <section aria-label="Skills">
        <h3>Used by /skill and a name, or by the assistant when one fits</h3>
        <ul className="cass-list">
          {skills.map(({ slug, name, description, source }) => (
            <li key={slug} title={source}>
              <code>{slug}</code> <b>{name}</b> <span className="cass-quiet">{description}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function Diagnostics({ title, of }: { title: string; of: Skills["diagnostics"] }) {
  if (of.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul className="cass-list">
        {of.map(({ path, problem, action }) => (
          <li key={path + problem}>
            <code>{path}</code> {problem} {action}
          </li>
        ))}
      </ul>
    </section>
  );
}
