import { useEffect, useState } from "react";
import { ChangedMeanwhile } from "../ui/ChangedMeanwhile";
import { SaveOrCancel } from "../ui/SaveOrCancel";
import { useKept } from "../ui/useKept";
import type { Day, MemoryApi, MemoryText } from "./memoryApi";

interface Props {
  day: Day;
  api: MemoryApi;
  /** Carries out a change; whether it succeeded. */
  perform(change: Promise<unknown>): Promise<boolean>;
  onForgotten(day: string, text: string): void;
}

/** A day: what was found in it, and opened its whole text, to be edited or forgotten. */
export function MemoryDay({ day: { day, lines, problem }, api, perform, onForgotten }: Props) {
  const [draft, setDraft] = useKept<{ text: string; over: string }>(`memory of ${day}`);
  const [isOpen, setOpen] = useState(draft !== undefined);
  const [whole, setWhole] = useState<MemoryText>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read when it is opened
  useEffect(() => {
    if (isOpen) void perform(api.text(day).then(setWhole));
  }, [isOpen, day]);

  async function save() {
    if (draft === undefined || !whole) return;
    const text = draft.text.trim();
    if (!text) return forget();
    if (await perform(api.write(day, text, whole.text).then(setWhole))) setDraft(undefined);
  }

  async function forget() {
    if (whole && (await perform(api.write(day, "", whole.text)))) onForgotten(day, whole.text);
  }

  return (
    <li>
      <button
        type="button"
        className="cass-line-button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {day}
      </button>
      {!isOpen && problem && <p className="cass-quiet">{problem}</p>}
      {!isOpen && lines.map((line) => <p key={line}>{line}</p>)}
      {isOpen && whole && (
        <>
          {whole.problem && <p className="cass-quiet">{whole.problem}</p>}
          {draft === undefined ? (
            <pre className="cass-plain-text">{whole.text}</pre>
          ) : (
            <>
              <textarea
                className="cass-field"
                aria-label={`Memory of ${day}`}
                rows={12}
                value={draft.text}
                onChange={(event) => setDraft({ ...draft, text: event.target.value })}
              />
              <ChangedMeanwhile before={draft.over} now={whole.text} />
            </>
          )}
          <div className="cass-buttons">
            {draft === undefined ? (
              <>
                <button
                  type="button"
                  className="cass-button"
                  disabled={Boolean(whole.problem)}
                  onClick={() => setDraft({ text: whole.text, over: whole.text })}
                >
                  Edit
                </button>
                <button type="button" className="cass-button cass-plain" onClick={() => void forget()}>
                  Forget
                </button>
              </>
            ) : (
              <SaveOrCancel onSave={save} onCancel={() => setDraft(undefined)} />
            )}
          </div>
        </>
      )}
    </li>
  );
}
