import type { Flaw } from "../api/flaws";
import { Button } from "../ui/Button";
import { ChangedMeanwhile } from "../ui/ChangedMeanwhile";
import { Checkbox, TextArea } from "../ui/Field";
import { Flaws } from "../ui/Flaws";
import { SaveOrCancel } from "../ui/SaveOrCancel";
import { Section } from "../ui/Section";
import { useKept } from "../ui/useKept";
import type { Perform } from "../ui/useResource";
import type { OwnDocument, YouApi } from "./youApi";

interface Props {
  title: string;
  about: string;
  document: OwnDocument;
  flaws: readonly Flaw[];
  api: YouApi;
  perform: Perform;
}

/** A text of the person's, which is a file of theirs once it is saved. */
export function DocumentEditor({ title, about, document, flaws, api, perform }: Props) {
  const { name, text, source, isOwn, isOn, problem } = document;
  /** What is being written, over what was shown when that began. */
  const [draft, setDraft] = useKept<{ text: string; over: string }>(`document ${name}`);
  const isBase = name === "base";
  async function save() {
    if (draft && (await perform(() => api.write(name, draft.text, text)))) setDraft(undefined);
  }
  const remove = () =>
    void perform(
      () => api.write(name, "", text),
      () => ({
        label: isBase ? "The base prompt is the built-in one again." : `Deleted ${source}.`,
        run: async () => {
          const now = (await api.all()).documents.find((each) => each.name === name);
          return api.write(name, text, now?.text ?? "");
        },
      }),
    );
  return (
    <Section title={title} note={source} about={about}>
      <Flaws of={problem ? [{ path: source, problem, action: "" }, ...flaws] : flaws} />
      {draft ? (
        <>
          <TextArea
            label={title}
            isLabelHidden
            rows={isBase ? 14 : 6}
            value={draft.text}
            onValue={(text) => setDraft({ ...draft, text })}
          />
          <ChangedMeanwhile before={draft.over} now={text} />
        </>
      ) : (
        text && (
          <pre className="cass-plain-text" data-off={!isOn || undefined}>
            {text}
          </pre>
        )
      )}
      <div className="cass-buttons">
        {draft ? (
          <SaveOrCancel onSave={save} onCancel={() => setDraft(undefined)} />
        ) : (
          <>
            <Button disabled={Boolean(problem)} onClick={() => setDraft({ text, over: text })}>
              {text ? "Edit" : "Write"}
            </Button>
            {isOwn && !problem && (
              <Button look="plain" onClick={remove}>
                {isBase ? "Reset" : "Delete"}
              </Button>
            )}
            {!isBase && text && (
              <Checkbox checked={isOn} onTurn={(on) => void perform(() => api.turn(name, on))}>
                Told to the model
              </Checkbox>
            )}
          </>
        )}
      </div>
    </Section>
  );
}
