import { type ComponentType, useCallback, useMemo, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { addStyles } from "../ui/addStyles";
import { Button } from "../ui/Button";
import { FileButton } from "../ui/FileButton";
import { Notice } from "../ui/Notice";
import { Loaded, Page } from "../ui/Page";
import { useKept } from "../ui/useKept";
import { useResource } from "../ui/useResource";
import { type Draft, draftOfChat, emptyDraft } from "./draftOfChat";
import { Changes, Diagnostics } from "./Notes";
import { zipParcel } from "./parcel";
import { SkillEditor } from "./SkillEditor";
import { SkillList } from "./SkillList";
import { SkillView } from "./SkillView";
import styles from "./skills.css?inline";
import { type ChangeSkill, createSkillsApi, type Parcel, type SkillPlace } from "./skillsApi";

addStyles(styles);

const newestMessages = 200;

interface Props {
  api: AssistantApi;
  /** The open chat, undefined where nothing was said in it. */
  threadId: string | undefined;
  Markdown: ComponentType<{ text: string }>;
}

/** All skills: to find, to read, to switch, to write. */
export function SkillsPage({ api, threadId, Markdown }: Props) {
  const own = useMemo(() => createSkillsApi(api), [api]);
  const skills = useResource(own.all);
  const { perform } = skills;
  const [inHand, setInHand] = useKept<SkillPlace>("skill in hand");
  const [shown, setShown] = useState(inHand);
  /** Of a new skill, which is shown where none that is there is. */
  const [draft, setDraft] = useKept<Draft>("new skill");
  const [leftOut, setLeftOut] = useState<string[]>([]);
  const change = useCallback<ChangeSkill>(
    (work) =>
      perform(
        work,
        (made) => made && { label: `“${made.slug}” was ${made.what}.`, run: () => own.undo(made.id) },
      ),
    [perform, own],
  );
  const takeIn = (parcel: Promise<Parcel>) =>
    void change(async () => {
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
    });
  return (
    <Page>
      {leftOut.length > 0 && <Notice onDismiss={() => setLeftOut([])}>Not added: {leftOut.join(" ")}</Notice>}
      <Loaded of={skills}>
        {(listing) => (
          <>
            <div className="cass-buttons">
              <Button onClick={() => write(draft ?? emptyDraft)}>New skill</Button>
              {threadId !== undefined && <Button onClick={draftChat}>Make one of this chat</Button>}
              <FileButton
                label="Import zip"
                accept=".zip"
                onFiles={([file]) => file && takeIn(zipParcel(file))}
              />
            </div>
            <div className="cass-skills-parts">
              <div>
                <SkillList
                  skills={listing.skills}
                  selected={shown}
                  onSelect={({ slug, place }) => setShown({ slug, place })}
                  onTurn={(skill, isOn) => void change(() => own.turn(skill, isOn))}
                />
                <Diagnostics of={listing.diagnostics} />
                <Changes changes={listing.changes} onUndo={(id) => void change(() => own.undo(id))} />
              </div>
              {shown && (
                <SkillView
                  key={`${shown.place} ${shown.slug}`}
                  of={shown}
                  listing={listing}
                  api={own}
                  change={change}
                  Markdown={Markdown}
                  onEdit={setInHand}
                  onClose={() => setShown(undefined)}
                  onOwn={() => setShown({ slug: shown.slug, place: "own" })}
                />
              )}
              {!shown && draft && (
                <section className="cass-section" aria-label="New skill">
                  <SkillEditor
                    draft={draft}
                    onChange={setDraft}
                    Markdown={Markdown}
                    onCancel={() => setDraft(undefined)}
                    onSave={async (slug, text) => {
                      if (!(await change(() => own.create(slug, text)))) return;
                      setShown({ slug, place: "own" });
                      setDraft(undefined);
                    }}
                  />
                </section>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}
