import { useAui } from "@assistant-ui/react";
import { useCallback, useEffect, useState } from "react";
import type { Client } from "../api/client";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { type Personas, personaOf, readPersonas } from "../api/personas";
import { Problem } from "../shared/Problem";

/** Who the assistant is in the open chat. */
export function PersonaPicker({ client }: { client: Client }) {
  const aui = useAui();
  const [found, setFound] = useState<Personas>();
  const [chosen, setChosen] = useState("");
  const [failure, setFailure] = useState<ErrorDetails>();
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
  if (!found) return failure ? <Problem details={failure} /> : null;
  const isGone = chosen && !found.personas.some(({ slug }) => slug === chosen);
  return (
    <section aria-label="Persona of this chat">
      <h3>Persona of this chat</h3>
      <p className="cass-quiet">
        Folders in <code>personas/</code> with a <code>SOUL.md</code>; also chosen by <code>/persona</code>{" "}
        and a name.
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
      {isGone && <p className="cass-quiet">{`The folder of “${chosen}” is gone; your own holds.`}</p>}
      {found.diagnostics.map(({ path, problem, action }) => (
        <p key={path + problem} className="cass-quiet">
          <code>{path}</code> {problem} {action}
        </p>
      ))}
      {failure && <Problem details={failure} />}
    </section>
  );
}
