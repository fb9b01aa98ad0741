import type { ComponentProps } from "react";
import { Button } from "../ui/Button";
import { Page } from "../ui/Page";
import { Section } from "../ui/Section";
import { LookChoice } from "./LookChoice";
import { ModelHosts } from "./ModelHosts";
import { ProvidersPage } from "./ProvidersPage";
import { TrustedPackages } from "./TrustedPackages";

/** What can be opened from here, with what it is for. */
const PAGES = [
  { kind: "you", name: "You", about: "rules, goals, preferences and personas" },
  { kind: "skills", name: "Skills", about: "instructions for a task, used with /skill" },
  { kind: "files", name: "Files", about: "texts and PDFs that every chat knows" },
  { kind: "memory", name: "Memory", about: "notes from long chats, and what you made" },
  { kind: "costs", name: "Costs", about: "tokens, money and budgets" },
] as const;

type Props = ComponentProps<typeof ProvidersPage> & { onPage(kind: (typeof PAGES)[number]["kind"]): void };

/** All that is entered once: models, hosts of model files, packages that are trusted; and the way to the rest. */
export function SettingsPage({ onPage, ...props }: Props) {
  return (
    <Page className="cass-settings">
      <Section title="Models that answer">
        <ProvidersPage {...props} />
      </Section>
      <ModelHosts api={props.api} />
      <TrustedPackages api={props.api} />
      <LookChoice />
      <Section title="More settings">
        <ul className="cass-rows">
          {PAGES.map(({ kind, name, about }) => (
            <li key={kind}>
              <Button look="line" onClick={() => onPage(kind)}>
                <b>{name}</b>
                <span>{about}</span>
              </Button>
            </li>
          ))}
        </ul>
      </Section>
    </Page>
  );
}
