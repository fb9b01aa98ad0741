import { useAui } from "@assistant-ui/react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Client } from "../api/client";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { type Personas, personaOf, personaText, readPersonas, writePersona } from "../api/personas";
import { Flaws } from "../ui/Flaws";
import { Problem } from "../ui/Problem";
import { useKept } from "../ui/useKept";
import { newPersona, type PersonaDraft, PersonaEditor } from "./PersonaEditor";

/** Who the assistant is in the open chat; here personas are written, too. */
export function PersonaPicker({ client, isWanted }: { client: Client; isWanted: boolean }) {
  const aui = useAui();
  const section = useRef<HTMLElement>(null);
  const [found, setFound] = useState<Personas>();
  const [chosen, setChosen] = useState("");
  const [failure, setFailure] = useState<ErrorDetails>();
  const [draft, setDraft] = useKept<PersonaDraft>("persona");
  const [deleted, setDeleted] = useState<PersonaDraft>();
  const show = useCallback(
    async (name?: string) => {
      try {
        const { remoteId } = aui.threadListItem.getState();
        const id =
          name === undefined ? remoteId : (remoteId ?? (await aui.threadListItem.initialize()).remoteId);
        if (id !== undefined) setChosen((await personaOf(client, id, name)).chosen);
        setFound(await readPersonas(client));
        setFailure(undefined);
      } catch (error) {
        setFailure(detailsOf(error));
      }
    },
    [aui, client],
  );
  useEffect(() => void show(), [show]);
  const isShown = found !== undefined;
  // In a narrow panel it is far below the rules.
  useEffect(() => {
    if (!isWanted || !isShown) return;
    section.current?.scrollIntoView({ block: "nearest" });
    section.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus({ preventScroll: true });
  }, [isWanted, isShown]);
  async function perform(work: () => Promise<void>) {
    try {
      await work();
      await show();
    } catch (error) {
      setFailure(detailsOf(error));
    }
  }
  const edit = (slug: string) =>
    perform(async () => {
      const text = await personaText(client, slug);
      setDraft({ slug, text, seen: text });
    });
  const write = ({ slug, text, seen }: PersonaDraft) =>
    perform(async () => {
      await writePersona(client, slug, text, seen);
      setDraft(undefined);
      setDeleted(undefined);
    });
  const remove = (slug: string) =>
    perform(async () => {
      const text = await personaText(client, slug);
      await writePersona(client, slug, "", text);
      setDeleted({ slug, text, seen: "" });
    });
  if (!found) return failure ? <Problem details={failure} /> : null;
  const persona = found.personas.find(({ slug }) => slug === chosen);
  const isGone = chosen && !persona;
  return (
    <section ref={section} aria-label="Persona of this chat">
      <h3>Persona of this chat</h3>
      <p className="cass-quiet">
        Also chosen by <code>/persona</code> and a name. Each is a folder in <code>personas/</code> with a{" "}
        <code>SOUL.md</code>.
      </p>
      <div className="cass-buttons">
        {[
          { slug: "", name: "Your own", description: "The persona on this page, if any" },
          ...found.personas,
        ].map(({ slug, name, description }) => (
          <button
            key={slug}
            type="button"
            className="cass-chip"
            aria-pressed={slug === (isGone ? "" : chosen)}
            title={description}
            onClick={() => void show(slug)}
          >
            {name}
          </button>
        ))}
      </div>
      {draft ? (
        <PersonaEditor
          draft={draft}
          onChange={setDraft}
          onSave={write}
          onCancel={() => setDraft(undefined)}
        />
      ) : (
        <div className="cass-buttons">
          <button type="button" className="cass-button" onClick={() => setDraft(newPersona)}>
            New persona
          </button>
          {persona && (
            <>
              <button type="button" className="cass-button" onClick={() => void edit(persona.slug)}>
                Edit {persona.name}
              </button>
              <button
                type="button"
                className="cass-button cass-plain"
                onClick={() => void remove(persona.slug)}
              >
                Delete {persona.name}
              </button>
            </>
          )}
        </div>
      )}
      {deleted && (
        <p className="cass-notice" role="status">
          <span>Deleted the persona “{deleted.slug}”.</span>
          <button type="button" className="cass-link" onClick={() => void write(deleted)}>
            Undo
          </button>
        </p>
      )}
      {isGone && <p className="cass-quiet">{`The persona “${chosen}” is gone; your own holds.`}</p>}
      <Flaws of={found.diagnostics} />
      {failure && <Problem details={failure} />}
    </section>
  );
}
