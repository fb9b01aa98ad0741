import { type ComponentType, useEffect, useState } from "react";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { saveFile } from "../shared/saveFile";
import { Problem } from "../ui/Problem";
import { useKept } from "../ui/useKept";
import { bodyOf, SkillEditor } from "./SkillEditor";
import type { Perform } from "./SkillsPage";
import type { Listing, SkillPlace, SkillsApi, WholeSkill } from "./skillsApi";

type Edited = Pick<WholeSkill, "text" | "version">;

interface Props {
  of: SkillPlace;
  /** Each newer one has the skill read again. */
  listing: Listing;
  api: SkillsApi;
  perform: Perform;
  Markdown: ComponentType<{ text: string }>;
  /** It is being written, or nothing of it is any more. */
  onEdit(of: SkillPlace | undefined): void;
  onClose(): void;
  /** One of the person's own has taken its place. */
  onOwn(): void;
}

export function SkillView({ of, listing, api, perform, Markdown, onEdit, onClose, onOwn }: Props) {
  const { slug, place } = of;
  const [skill, setSkill] = useState<WholeSkill>();
  const [failure, setFailure] = useState<ErrorDetails>();
  /** What is being written stays over the version that was shown when that began. */
  const [edited, keep] = useKept<Edited>(`skill ${place} ${slug}`);
  const setEdited = (edited: Edited | undefined) => {
    keep(edited);
    onEdit(edited && of);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer listing is a reason to read it again
  useEffect(() => {
    let isCurrent = true;
    api.read({ slug, place }).then(
      (read) => {
        if (!isCurrent) return;
        setSkill(read);
        setFailure(undefined);
      },
      (error: unknown) => isCurrent && setFailure(detailsOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [api, slug, place, listing]);
  if (failure) return <Problem details={failure} />;
  if (!skill) return <p className="cass-quiet">Loading…</p>;
  const isOwn = skill.place === "own" || skill.place === "elsewhere";
  const isHeld = skill.state === "new";
  async function save(_: string, text: string) {
    if (!edited) return;
    const work = () => (isOwn ? api.write(slug, text, edited.version) : api.create(slug, text));
    if (!(await perform(work))) return;
    setEdited(undefined);
    if (!isOwn) onOwn();
  }
  return (
    <section aria-label={`Skill ${slug}`} className="cass-skill">
      <h3>
        {skill.name} <small>{skill.source}</small>
      </h3>
      {isHeld && (
        <div className="cass-notice">
          <span>
            {skill.from ? `It came in ${skill.from}. ` : "It is from elsewhere. "}
            The assistant does what a skill says, so no model reads this one before you have, with all of its
            files below.
          </span>
          <button
            type="button"
            className="cass-button cass-primary"
            onClick={() => void perform(() => api.accept(slug, skill.contents))}
          >
            I have read it: accept
          </button>
        </div>
      )}
      {edited ? (
        <SkillEditor
          isNamed
          draft={{ slug, text: edited.text }}
          onChange={({ text }) => setEdited({ ...edited, text })}
          Markdown={Markdown}
          onSave={save}
          onCancel={() => setEdited(undefined)}
        />
      ) : (
        <>
          <div className="cass-buttons">
            <button type="button" className="cass-button" onClick={() => setEdited(skill)}>
              {isOwn ? "Edit" : "Edit as your own"}
            </button>
            <button
              type="button"
              className="cass-button cass-plain"
              onClick={() =>
                void perform(async () => {
                  saveFile(`${slug}.zip`, await api.pack(of));
                  return undefined;
                })
              }
            >
              Export
            </button>
            {isOwn && (
              <button
                type="button"
                className="cass-button cass-plain"
                onClick={() =>
                  void perform(() => api.remove(slug, skill.version)).then((isDone) => isDone && onClose())
                }
              >
                Delete
              </button>
            )}
            <button type="button" className="cass-button cass-plain" onClick={onClose}>
              Close
            </button>
          </div>
          {isHeld ? (
            <pre className="cass-plain-text">{skill.text}</pre>
          ) : (
            <>
              <p className="cass-quiet">{skill.description}</p>
              <Markdown text={bodyOf(skill.text)} />
            </>
          )}
          {skill.files.map(({ path, text, problem }) => (
            <details key={path} open={isHeld}>
              <summary>
                <code>{path}</code> {problem && <span className="cass-quiet">{problem}</span>}
              </summary>
              {text !== undefined && <pre className="cass-plain-text">{text}</pre>}
            </details>
          ))}
          {skill.moreFiles > 0 && (
            <p className="cass-quiet">
              … and {skill.moreFiles} more files
              {isHeld && ", too many to be accepted: take some out of its folder"}
            </p>
          )}
        </>
      )}
    </section>
  );
}
