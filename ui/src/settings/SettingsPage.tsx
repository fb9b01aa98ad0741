import type { ComponentProps } from "react";
import { ModelHosts } from "./ModelHosts";
import { ProvidersPage } from "./ProvidersPage";
import { TrustedPackages } from "./TrustedPackages";

/** What can be opened from here, with what it is for. */
const PAGES = [
  { kind: "you", name: "You", about: "rules, goals, preferences and personas" },
  { kind: "skills", name: "Skills", about: "instructions for a task, used with /skill" },
  { kind: "files", name: "Files", about: "texts and PDFs that belong to a workflow" },
  { kind: "memory", name: "Memory", about: "what stays of long chats, and what was made" },
  { kind: "costs", name: "Costs", about: "tokens, money and budgets" },
] as const;

type Props = ComponentProps<typeof ProvidersPage> & { onPage(kind: (typeof PAGES)[number]["kind"]): void };

/** All that is entered once: models, hosts of model files, packages that are trusted; and the way to the rest. */
export function SettingsPage({ onPage, ...props }: Props) {
  return (
    <div className="cass-settings">
      <section aria-label="Models that answer">
        <h3>Models that answer</h3>
        <ProvidersPage {...props} />
      </section>
      <section aria-label="Model files">
        <h3>Model files</h3>
        <ModelHosts api={props.api} />
      </section>
      <section aria-label="Trusted packages">
        <h3>Trusted packages</h3>
        <TrustedPackages api={props.api} />
      </section>
      <section aria-label="More settings">
        <h3>More</h3>
        <ul className="cass-lines">
          {PAGES.map(({ kind, name, about }) => (
            <li key={kind}>
              <button type="button" className="cass-line-button" onClick={() => onPage(kind)}>
                <b>{name}</b>
                <span>{about}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
