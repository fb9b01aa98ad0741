import type { Flaw } from "../api/flaws";
import { ChangedMeanwhile } from "../ui/ChangedMeanwhile";
import { Flaws } from "../ui/Flaws";
import { SaveOrCancel } from "../ui/SaveOrCancel";
import { useKept } from "../ui/useKept";
import type { Perform } from "./EntryList";
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
    if (draft && (await perform(api.write(name, draft.text, text)))) setDraft(undefined);
  }
  return (
    <section aria-label={title}>
      <h3>
        {title} {source && <small>{source}</small>}
      </h3>
      <p className="cass-quiet">{about}</p>
      <Flaws of={problem ? [{ path: source, problem, action: "" }, ...flaws] : flaws} />
      {draft ? (
        <>
          <textarea
            className="cass-field"
            aria-label={title}
            rows={isBase ? 14 : 6}
            value={draft.text}
            onChange={(event) => setDraft({ ...draft, text: event.target.value })}
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
            <button
              type="button"
              className="cass-button"
              disabled={Boolean(problem)}
              onClick={() => setDraft({ text, over: text })}
            >
              {text ? "Edit" : "Write"}
            </button>
            {isOwn && !problem && (
              <button
                type="button"
                className="cass-button cass-plain"
                onClick={() =>
                  void perform(api.write(name, "", text), {
                    label: isBase ? "The base prompt is as it came." : `Deleted ${source}.`,
                    run: async () => {
                      const now = (await api.all()).documents.find((each) => each.name === name);
                      return api.write(name, text, now?.text ?? "");
                    },
                  })
                }
              >
                {isBase ? "Reset" : "Delete"}
              </button>
            )}
            {!isBase && text && (
              <label className="cass-quiet">
                <input type="checkbox" checked={isOn} onChange={() => void perform(api.turn(name, !isOn))} />{" "}
                Told to the model
              </label>
            )}
          </>
        )}
      </div>
    </section>
  );
}
