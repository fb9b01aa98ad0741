import { useCallback, useState } from "react";
import { Button } from "../ui/Button";
import { ChangedMeanwhile } from "../ui/ChangedMeanwhile";
import { TextArea } from "../ui/Field";
import { Loaded } from "../ui/Page";
import { SaveOrCancel } from "../ui/SaveOrCancel";
import { useKept } from "../ui/useKept";
import { type Resource, useResource } from "../ui/useResource";
import type { Day, MemoryApi, MemoryText } from "./memoryApi";

interface Draft {
  text: string;
  over: string;
}

interface Props {
  day: Day;
  api: MemoryApi;
  /** All that were found, this one among them. */
  days: Resource<Day[]>;
}

/** A day: what was found in it, and opened its whole text, to be edited or deleted. */
export function MemoryDay({ day, api, days }: Props) {
  const [draft, setDraft] = useKept<Draft>(`memory of ${day.day}`);
  const [isOpen, setOpen] = useState(draft !== undefined);
  return (
    <li>
      <Button look="line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <b>{day.day}</b>
      </Button>
      {isOpen ? (
        <WholeDay day={day.day} api={api} days={days} draft={draft} onDraft={setDraft} />
      ) : (
        <>
          {day.problem && <p className="cass-quiet">{day.problem}</p>}
          {day.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </>
      )}
    </li>
  );
}

interface WholeProps extends Pick<Props, "api" | "days"> {
  day: string;
  draft: Draft | undefined;
  onDraft(draft: Draft | undefined): void;
}

function WholeDay({ day, api, days, draft, onDraft }: WholeProps) {
  const whole = useResource(useCallback(() => api.text(day), [api, day]));
  const remove = ({ text }: MemoryText) =>
    days.perform(
      () => api.write(day, "", text),
      () => ({ label: `Deleted ${day}.`, run: () => api.write(day, text, "") }),
    );
  async function save(written: MemoryText) {
    const text = draft?.text.trim();
    const isDone = text
      ? await whole.perform(() => api.write(day, text, written.text))
      : await remove(written);
    if (isDone) onDraft(undefined);
    void days.reload();
  }
  return (
    <Loaded of={whole}>
      {(written) => (
        <>
          {written.problem && <p className="cass-quiet">{written.problem}</p>}
          {draft === undefined ? (
            <pre className="cass-plain-text">{written.text}</pre>
          ) : (
            <>
              <TextArea
                label={`Memory of ${day}`}
                isLabelHidden
                rows={12}
                value={draft.text}
                onValue={(text) => onDraft({ ...draft, text })}
              />
              <ChangedMeanwhile before={draft.over} now={written.text} />
            </>
          )}
          <div className="cass-buttons">
            {draft === undefined ? (
              <>
                <Button
                  disabled={Boolean(written.problem)}
                  onClick={() => onDraft({ text: written.text, over: written.text })}
                >
                  Edit
                </Button>
                <Button look="plain" onClick={() => void remove(written)}>
                  Delete
                </Button>
              </>
            ) : (
              <SaveOrCancel onSave={() => save(written)} onCancel={() => onDraft(undefined)} />
            )}
          </div>
        </>
      )}
    </Loaded>
  );
}
