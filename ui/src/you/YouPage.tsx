import "./styles";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { Problem } from "../ui/Problem";
import { useOnReturn } from "../ui/useOnReturn";
import { DocumentEditor } from "./DocumentEditor";
import { EntryList, type ListWords, type Perform } from "./EntryList";
import { PersonaPicker } from "./PersonaPicker";
import { ToldPart } from "./ToldPart";
import { createYouApi, flawsOf, type You } from "./youApi";

const lists: readonly ListWords[] = [
  {
    kind: "rules",
    title: "Rules",
    about:
      "Always followed, in every chat. The first ones are told where there is no room for all. One that is repeated is said again with each message, where a model heeds it most.",
    example: "Never touch my seeds",
    files: ["rules.md", "reminders.md"],
  },
  {
    kind: "preferences",
    title: "Preferences",
    about: "Taken where you ask for nothing else.",
    example: "sampler",
    files: ["preferences.json"],
  },
];

const documents = {
  goals: { title: "Goals", file: "goals.md", about: "What you are working towards." },
  persona: { title: "Persona", file: "SOUL.md", about: "How the assistant speaks and acts." },
  base: {
    title: "Base prompt",
    file: "01_role.md",
    about:
      "What the assistant is, before anything of yours. It holds in new chats, and in others once they are condensed.",
  },
};

/** All that the assistant is told of the person: to see, to order, to switch off, to change. */
export function YouPage({ api, part }: { api: AssistantApi; part?: "persona" | undefined }) {
  const own = useMemo(() => createYouApi(api), [api]);
  const [you, setYou] = useState<You>();
  const [failure, setFailure] = useState<ErrorDetails>();
  const [undo, setUndo] = useState<Parameters<Perform>[1]>();
  const perform = useCallback<Perform>(
    async (work, taken) => {
      let isDone = true;
      try {
        await work;
        setFailure(undefined);
        setUndo(taken);
      } catch (error) {
        isDone = false;
        setFailure(detailsOf(error));
      }
      await own.all().then(setYou, (error: unknown) => setFailure(detailsOf(error)));
      return isDone;
    },
    [own],
  );
  useEffect(() => void perform(Promise.resolve()), [perform]);
  useOnReturn(() => own.all().then(setYou, () => {}));
  return (
    <div className="cass-you">
      {failure && <Problem details={failure} />}
      {undo && (
        <p className="cass-notice" role="status">
          <span>{undo.label}</span>
          <button type="button" className="cass-link" onClick={() => void perform(undo.run())}>
            Undo
          </button>
        </p>
      )}
      {you && (
        <div className="cass-you-parts">
          <div>
            {lists.map((words) => (
              <EntryList
                key={words.kind}
                words={words}
                entries={you[words.kind]}
                flaws={words.files.flatMap((file) => flawsOf(you, file))}
                api={own}
                perform={perform}
              />
            ))}
          </div>
          <div>
            <PersonaPicker client={api.context.client} isWanted={part === "persona"} />
            {you.documents.map((document) => (
              <DocumentEditor
                key={document.name}
                {...documents[document.name]}
                document={document}
                flaws={flawsOf(you, documents[document.name].file)}
                api={own}
                perform={perform}
              />
            ))}
            <ToldPart told={you.told} />
          </div>
        </div>
      )}
      {!you && !failure && <p className="cass-quiet">Loading…</p>}
    </div>
  );
}
