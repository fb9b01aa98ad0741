import { type ComponentType, useCallback, useEffect, useMemo, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { addStyles } from "../ui/addStyles";
import { FileButton } from "../ui/FileButton";
import { Problem } from "../ui/Problem";
import { useKept } from "../ui/useKept";
import { useOnReturn } from "../ui/useOnReturn";
import { type Draft, draftOfChat, emptyDraft } from "./draftOfChat";
import { Changes, Diagnostics } from "./Notes";
import { folderParcel, zipParcel } from "./parcel";
import { SkillEditor } from "./SkillEditor";
import { SkillList } from "./SkillList";
import { SkillView } from "./SkillView";
import styles from "./skills.css?inline";
import { createSkillsApi, type Listing, type Parcel, type SkillChange, type SkillPlace } from "./skillsApi";

addStyles(styles);

const newestMessages = 200;

/** Carries a change out and shows what came of it; whether it was done. */
export type Perform = (work: () => Promise<SkillChange | undefined>) => Promise<boolean>;

interface Props {
  api: AssistantApi;
  /** The open chat, undefined where nothing was said in it. */
  threadId: string | undefined;
  Markdown: ComponentType<{ text: string }>;
}

/** All skills: to find, to read, to switch, to write. */
export function SkillsPage({ api, threadId, Markdown }: Props) {
  const own = useMemo(() => createSkillsApi(api), [api]);
  const [listing, setListing] = useState<Listing>();
  const [inHand, setInHand] = useKept<SkillPlace>("skill in hand");
  const [shown, setShown] = useState(inHand);
  /** Of a new skill, which is shown where none that is there is. */
  const [draft, setDraft] = useKept<Draft>("new skill");
  const [failure, setFailure] = useState<ErrorDetails>();
  const [leftOut, setLeftOut] = useState<string[]>([]);
  const [newest, setNewest] = useState<SkillChange>();
  const perform = useCallback<Perform>(
    async (work) => {
      let isDone = true;
      try {
        const change = await work();
        setFailure(undefined);
        setNewest(change);
      } catch (error) {
        isDone = false;
        setFailure(detailsOf(error));
      }
      await own.all().then(setListing, (error: unknown) => setFailure(detailsOf(error)));
      return isDone;
    },
    [own],
  );
  useEffect(() => void perform(async () => undefined), [perform]);
  useOnReturn(() => own.all().then(setListing, () => {}));
  const undo = (id: string) => void perform(() => own.undo(id));
  const takeIn = (parcel: Promise<Parcel>) =>
    void perform(async () => {
      const { changes, leftOut } = await own.takeIn(await parcel);
      const [first] = changes;
      if (first) setShown({ slug: first.slug, place: "elsewhere" });
      setLeftOut(leftOut.map(({ path, problem }) => `${path}: ${problem}`));
      return first;
    });
  const write = (draft: Draft) => {
    setShown(undefined);
    setDraft(draft);
  };
  const draftChat = () =>
    void perform(async () => {
      const { messages } = await api.thread(threadId ?? "", newestMessages);
      write(draftOfChat(messages));
      return undefined;
    });
  return (
    <div className="cass-page cass-skills">
      {failure && <Problem details={failure} />}
      {newest && (
        <p className="cass-notice" role="status">
          <span>
            “{newest.slug}” was {newest.what}.
          </span>
          <button type="button" className="cass-link" onClick={() => undo(newest.id)}>
            Undo
          </button>
        </p>
      )}
      {leftOut.length > 0 && (
        <p className="cass-notice">
          <span>Not taken in: {leftOut.join(" ")}</span>
        </p>
      )}
      {!listing && !failure && <p className="cass-quiet">Loading…</p>}
      {listing && (
        <div className="cass-buttons">
          <button type="button" className="cass-button" onClick={() => write(draft ?? emptyDraft)}>
            New skill
          </button>
          {threadId !== undefined && (
            <button type="button" className="cass-button" onClick={draftChat}>
              Make one of this chat
            </button>
          )}
          <FileButton
            label="Import zip"
            accept=".zip"
            onFiles={([file]) => file && takeIn(zipParcel(file))}
          />
          <FileButton label="Import folder" takes="folder" onFiles={(files) => takeIn(folderParcel(files))} />
        </div>
      )}
      {listing && (
        <div className="cass-skills-parts">
          <div>
            <SkillList
              skills={listing.skills}
              selected={shown}
              onSelect={({ slug, place }) => setShown({ slug, place })}
              onTurn={(skill, isOn) => void perform(() => own.turn(skill, isOn))}
            />
            <Diagnostics of={listing.diagnostics} />
            <Changes changes={listing.changes} onUndo={undo} />
          </div>
          {shown && (
            <SkillView
              key={`${shown.place} ${shown.slug}`}
              of={shown}
              listing={listing}
              api={own}
              perform={perform}
              Markdown={Markdown}
              onEdit={setInHand}
              onClose={() => setShown(undefined)}
              onOwn={() => setShown({ slug: shown.slug, place: "own" })}
            />
          )}
          {!shown && draft && (
            <section aria-label="New skill">
              <SkillEditor
                draft={draft}
                onChange={setDraft}
                Markdown={Markdown}
                onCancel={() => setDraft(undefined)}
                onSave={async (slug, text) => {
                  if (!(await perform(() => own.create(slug, text)))) return;
                  setShown({ slug, place: "own" });
                  setDraft(undefined);
                }}
              />
            </section>
          )}
        </div>
      )}
    </div>
  );
}
