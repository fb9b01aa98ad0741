import { useAui } from "@assistant-ui/react";
import { useCallback, useEffect, useRef } from "react";
import type { Client } from "../api/client";
import { type Personas, personaOf, personaText, readPersonas, writePersona } from "../api/personas";
import { Button } from "../ui/Button";
import { Flaws } from "../ui/Flaws";
import { Loaded } from "../ui/Page";
import { Section } from "../ui/Section";
import { useKept } from "../ui/useKept";
import { useResource } from "../ui/useResource";
import { newPersona, type PersonaDraft, PersonaEditor } from "./PersonaEditor";

/** Who the assistant is in the open chat; here personas are written, too. */
export function PersonaPicker({ client, isWanted }: { client: Client; isWanted: boolean }) {
  const aui = useAui();
  const section = useRef<HTMLElement>(null);
  const personas = useResource(
    useCallback(async () => {
      const { remoteId } = aui.threadListItem.getState();
      const { chosen } = remoteId === undefined ? { chosen: "" } : await personaOf(client, remoteId);
      return { ...(await readPersonas(client)), chosen };
    }, [aui, client]),
  );
  const { perform } = personas;
  const [draft, setDraft] = useKept<PersonaDraft>("persona");
  const isShown = personas.value !== undefined;
  // In a narrow panel it is far below the rules.
  useEffect(() => {
    if (!isWanted || !isShown) return;
    section.current?.scrollIntoView({ block: "nearest" });
    section.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus({ preventScroll: true });
  }, [isWanted, isShown]);
  const choose = (name: string) =>
    void perform(async () => {
      const { remoteId = (await aui.threadListItem.initialize()).remoteId } = aui.threadListItem.getState();
      await personaOf(client, remoteId, name);
    });
  const edit = (slug: string) =>
    void perform(async () => {
      const text = await personaText(client, slug);
      setDraft({ slug, text, seen: text });
    });
  async function save({ slug, text, seen }: PersonaDraft) {
    if (await perform(() => writePersona(client, slug, text, seen))) setDraft(undefined);
  }
  const remove = (slug: string) =>
    void perform(
      async () => {
        const text = await personaText(client, slug);
        await writePersona(client, slug, "", text);
        return text;
      },
      (text) => ({
        label: `Deleted the persona “${slug}”.`,
        run: () => writePersona(client, slug, text, ""),
      }),
    );
  return (
    <Section
      ref={section}
      title="Persona of this chat"
      about={
        <>
          You can also choose one with <code>/persona</code> and its name. Each is a folder in{" "}
          <code>personas/</code> with a <code>SOUL.md</code>.
        </>
      }
    >
      <Loaded of={personas}>
        {(found) => (
          <>
            <Choice found={found} onChoose={choose} />
            {draft ? (
              <PersonaEditor
                draft={draft}
                onChange={setDraft}
                onSave={save}
                onCancel={() => setDraft(undefined)}
              />
            ) : (
              <div className="cass-buttons">
                <Button onClick={() => setDraft(newPersona)}>New persona</Button>
                {found.personas
                  .filter(({ slug }) => slug === found.chosen)
                  .map(({ slug, name }) => (
                    <div key={slug} className="cass-buttons">
                      <Button onClick={() => edit(slug)}>Edit {name}</Button>
                      <Button look="plain" onClick={() => remove(slug)}>
                        Delete {name}
                      </Button>
                    </div>
                  ))}
              </div>
            )}
            <Flaws of={found.diagnostics} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Choice({
  found: { personas, chosen },
  onChoose,
}: {
  found: Personas & { chosen: string };
  onChoose(slug: string): void;
}) {
  const isGone = chosen !== "" && personas.every(({ slug }) => slug !== chosen);
  return (
    <>
      <div className="cass-buttons">
        {[{ slug: "", name: "Your own", description: "The persona on this page, if any" }, ...personas].map(
          ({ slug, name, description }) => (
            <Button
              key={slug}
              look="chip"
              aria-pressed={slug === (isGone ? "" : chosen)}
              title={description}
              onClick={() => onChoose(slug)}
            >
              {name}
            </Button>
          ),
        )}
      </div>
      {isGone && <p className="cass-quiet">{`The persona “${chosen}” is gone; your own holds.`}</p>}
    </>
  );
}
