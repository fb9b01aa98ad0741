import { useMemo } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { Fold } from "../ui/Fold";
import { Loaded, Page } from "../ui/Page";
import { useResource } from "../ui/useResource";
import { DocumentEditor } from "./DocumentEditor";
import { EntryList, type ListWords } from "./EntryList";
import { PersonaPicker } from "./PersonaPicker";
import { ToldPart } from "./ToldPart";
import { createYouApi, flawsOf, type OwnDocument, type You } from "./youApi";

const rules: ListWords = {
  kind: "rules",
  title: "Rules",
  about:
    "Followed in every chat. If they don't all fit, those at the top win. A repeated rule comes with every message, so the model doesn't forget it.",
  example: "Never touch my seeds",
  files: ["rules.md", "reminders.md"],
};

const preferences: ListWords = {
  kind: "preferences",
  title: "Preferences",
  about: "Used unless you ask for something else.",
  example: "sampler",
  files: ["preferences.json"],
};

const documents: Record<OwnDocument["name"], { title: string; file: string; about: string }> = {
  goals: { title: "Goals", file: "goals.md", about: "What you are working towards." },
  persona: { title: "Persona", file: "SOUL.md", about: "How the assistant speaks and acts." },
  base: {
    title: "Base prompt",
    file: "01_role.md",
    about: "The built-in instructions. Changes apply to new chats, and to others once they are summarized.",
  },
};

/** All that the assistant is told of the person: to see, to order, to switch off, to change. */
export function YouPage({ api, part }: { api: AssistantApi; part?: "persona" | undefined }) {
  const own = useMemo(() => createYouApi(api), [api]);
  const you = useResource(own.all);
  const list = (value: You, words: ListWords) => (
    <EntryList
      words={words}
      entries={value[words.kind]}
      flaws={words.files.flatMap((file) => flawsOf(value, file))}
      api={own}
      perform={you.perform}
    />
  );
  const editor = (value: You, name: OwnDocument["name"]) =>
    value.documents
      .filter((document) => document.name === name)
      .map((document) => (
        <DocumentEditor
          key={name}
          {...documents[name]}
          document={document}
          flaws={flawsOf(value, documents[name].file)}
          api={own}
          perform={you.perform}
        />
      ));
  return (
    <Page>
      <Loaded of={you}>
        {(value) => (
          <div className="cass-columns">
            <div>
              {list(value, rules)}
              {editor(value, "goals")}
              {list(value, preferences)}
            </div>
            <div>
              <PersonaPicker client={api.context.client} isWanted={part === "persona"} />
              {editor(value, "persona")}
              <Fold line={<b>Advanced</b>}>
                {editor(value, "base")}
                <ToldPart told={value.told} />
              </Fold>
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
