import { type FormEvent, useState } from "react";
import type { Flaw } from "../api/flaws";
import { Button } from "../ui/Button";
import { Checkbox, Field } from "../ui/Field";
import { Flaws } from "../ui/Flaws";
import { IconButton } from "../ui/IconButton";
import { ArrowDownIcon, ArrowUpIcon, PencilIcon, RepeatIcon, TrashIcon } from "../ui/icons";
import { Section } from "../ui/Section";
import type { Perform } from "../ui/useResource";
import { type Entry, type Kind, placeBefore, putBack, type YouApi } from "./youApi";

/** What a list is about, in the person's words. */
export interface ListWords {
  kind: Kind;
  title: string;
  about: string;
  example: string;
  /** Those that are read after it; the second has what is repeated. */
  files: readonly string[];
}

interface Props {
  words: ListWords;
  entries: readonly Entry[];
  flaws: readonly Flaw[];
  api: YouApi;
  perform: Perform;
}

export function EntryList({ words, entries, flaws, api, perform }: Props) {
  const { kind, title, about, example, files } = words;
  const [edited, setEdited] = useState<Entry>();
  const own = entries.filter(({ source }) => source === "remembered");
  const inFile = entries.filter(({ source }) => source === "file");
  const isGone = edited !== undefined && own.every(({ text }) => text !== edited.text);
  return (
    <Section title={title} about={about}>
      <Flaws of={flaws} />
      <ul className="cass-rows">
        {(isGone ? [...own, edited] : own).map((entry, index) => {
          const { text, value, isOn, repeats } = entry;
          const move = (step: -1 | 1) => {
            const before = placeBefore(own, index, step);
            return {
              disabled: before === undefined,
              onClick: () => void perform(() => api.change(kind, text, { before: before ?? "" })),
            };
          };
          if (edited?.text === text)
            return (
              <li key={text}>
                <EntryForm
                  kind={kind}
                  entry={entry}
                  submit={isGone ? "Add" : "Save"}
                  onCancel={() => setEdited(undefined)}
                  onSubmit={async (newText, newValue) => {
                    const change = { newText, ...(kind === "preferences" && { value: newValue }) };
                    const done = await perform(() =>
                      isGone ? api.add(kind, newText, newValue) : api.change(kind, text, change),
                    );
                    if (done) setEdited(undefined);
                    return done;
                  }}
                />
              </li>
            );
          return (
            <li key={text} data-off={!isOn || undefined}>
              <Checkbox
                title={isOn ? "Told to the model" : "Switched off"}
                checked={isOn}
                onTurn={(on) => void perform(() => api.change(kind, text, { isOn: on }))}
              >
                {text}
                {value && <b> {value}</b>}
                {repeats && <small> with each message</small>}
              </Checkbox>
              {kind === "rules" && (
                <IconButton
                  label={`Repeat “${text}” with each message`}
                  aria-pressed={repeats}
                  onClick={() => void perform(() => api.change(kind, text, { repeats: !repeats }))}
                >
                  <RepeatIcon />
                </IconButton>
              )}
              <IconButton label={`Move “${text}” up`} {...move(-1)}>
                <ArrowUpIcon />
              </IconButton>
              <IconButton label={`Move “${text}” down`} {...move(1)}>
                <ArrowDownIcon />
              </IconButton>
              <IconButton label={`Edit “${text}”`} onClick={() => setEdited(entry)}>
                <PencilIcon />
              </IconButton>
              <IconButton
                label={`Delete “${text}”`}
                onClick={() =>
                  void perform(
                    () => api.forget(kind, text),
                    () => ({ label: `Deleted “${text}”.`, run: () => putBack(api, kind, own, entry) }),
                  )
                }
              >
                <TrashIcon />
              </IconButton>
            </li>
          );
        })}
        {inFile.map(({ text, value, repeats }) => (
          <li key={`${text} ${repeats}`}>
            <span>
              {text}
              {value && <b> {value}</b>}
              <small>
                {" "}
                from the file {files[Number(repeats)]}, edited there{repeats && ", with each message"}
              </small>
            </span>
          </li>
        ))}
      </ul>
      <EntryForm
        kind={kind}
        submit="Add"
        placeholder={example}
        onSubmit={(text, value) => perform(() => api.add(kind, text, value))}
      />
    </Section>
  );
}

interface FormProps {
  kind: Kind;
  submit: string;
  placeholder?: string;
  entry?: Entry;
  onCancel?(): void;
  onSubmit(text: string, value: string): Promise<boolean>;
}

function EntryForm({ kind, submit, placeholder, entry, onCancel, onSubmit }: FormProps) {
  const [text, setText] = useState(entry?.text ?? "");
  const [value, setValue] = useState(entry?.value ?? "");
  const hasValue = kind === "preferences";
  const isReady = Boolean(text.trim() && (!hasValue || value.trim()));
  async function send(event: FormEvent) {
    event.preventDefault();
    if (!isReady || !(await onSubmit(text.trim(), value.trim()))) return;
    setText("");
    setValue("");
  }
  return (
    <form className="cass-line-form" onSubmit={(event) => void send(event)}>
      <Field
        label={`${submit} to ${kind}`}
        isLabelHidden
        placeholder={placeholder}
        value={text}
        onValue={setText}
      />
      {hasValue && <Field label="Value" isLabelHidden placeholder="euler" value={value} onValue={setValue} />}
      <Button type="submit" disabled={!isReady}>
        {submit}
      </Button>
      {onCancel && (
        <Button look="plain" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </form>
  );
}
