import { type ComponentType, useCallback } from "react";
import { saveFile } from "../shared/saveFile";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { Loaded } from "../ui/Page";
import { useKept } from "../ui/useKept";
import { useResource } from "../ui/useResource";
import { bodyOf, SkillEditor } from "./SkillEditor";
import type { ChangeSkill, Listing, SkillPlace, SkillsApi, WholeSkill } from "./skillsApi";

type Edited = Pick<WholeSkill, "text" | "version">;

interface Props {
  of: SkillPlace;
  /** Each newer one has the skill read again. */
  listing: Listing;
  api: SkillsApi;
  change: ChangeSkill;
  Markdown: ComponentType<{ text: string }>;
  /** It is being written, or nothing of it is any more. */
  onEdit(of: SkillPlace | undefined): void;
  onClose(): void;
  /** One of the person's own has taken its place. */
  onOwn(): void;
}

export function SkillView({ of, listing, api, change, Markdown, onEdit, onClose, onOwn }: Props) {
  const { slug, place } = of;
  const read = useResource(
    // biome-ignore lint/correctness/useExhaustiveDependencies: a newer listing is a reason to read it again
    useCallback(() => api.read({ slug, place }), [api, slug, place, listing]),
  );
  /** What is being written stays over the version that was shown when that began. */
  const [edited, keep] = useKept<Edited>(`skill ${place} ${slug}`);
  const setEdited = (edited: Edited | undefined) => {
    keep(edited);
    onEdit(edited && of);
  };
  return (
    <Loaded of={read}>
      {(skill) => (
        <WholeSkillView {...{ skill, place, api, change, Markdown, edited, setEdited, onClose, onOwn }} />
      )}
    </Loaded>
  );
}

interface WholeProps extends Pick<Props, "api" | "change" | "Markdown" | "onClose" | "onOwn"> {
  skill: WholeSkill;
  place: SkillPlace["place"];
  edited: Edited | undefined;
  setEdited(edited: Edited | undefined): void;
}

function WholeSkillView({
  skill,
  place,
  api,
  change,
  Markdown,
  edited,
  setEdited,
  onClose,
  onOwn,
}: WholeProps) {
  const { slug } = skill;
  const isOwn = skill.place === "own" || skill.place === "elsewhere";
  const isHeld = skill.state === "new";
  async function save(_: string, text: string) {
    if (!edited) return;
    const work = () => (isOwn ? api.write(slug, text, edited.version) : api.create(slug, text));
    if (!(await change(work))) return;
    setEdited(undefined);
    if (!isOwn) onOwn();
  }
  return (
    <section aria-label={`Skill ${slug}`} className="cass-section">
      <h3>
        {skill.name} <small>{skill.source}</small>
      </h3>
      {isHeld && (
        <Notice
          actions={
            <Button look="primary" onClick={() => void change(() => api.accept(slug, skill.contents))}>
              I have read it: accept
            </Button>
          }
        >
          {skill.from ? `It came in ${skill.from}. ` : "It is from elsewhere. "}
          The assistant does what a skill says, so no model reads this one before you have, with all of its
          files below.
        </Notice>
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
            <Button onClick={() => setEdited(skill)}>{isOwn ? "Edit" : "Edit as your own"}</Button>
            <Button
              look="plain"
              onClick={() =>
                void change(async () => {
                  saveFile(`${slug}.zip`, await api.pack({ slug, place }));
                  return undefined;
                })
              }
            >
              Export
            </Button>
            {isOwn && (
              <Button
                look="plain"
                onClick={() =>
                  void change(() => api.remove(slug, skill.version)).then((isDone) => isDone && onClose())
                }
              >
                Delete
              </Button>
            )}
            <Button look="plain" onClick={onClose}>
              Close
            </Button>
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
