import { SaveOrCancel } from "../ui/SaveOrCancel";

/** A persona's file as it is written. `seen` is what it was when that began, "" for a new one. */
export interface PersonaDraft {
  slug: string;
  text: string;
  seen: string;
}

export const newPersona: PersonaDraft = {
  slug: "",
  text: "---\nname: \ndescription: \n---\n\n",
  seen: "",
};

interface Props {
  draft: PersonaDraft;
  onChange(draft: PersonaDraft): void;
  onSave(draft: PersonaDraft): Promise<void>;
  onCancel(): void;
}

export function PersonaEditor({ draft, onChange, onSave, onCancel }: Props) {
  const { slug, text } = draft;
  return (
    <div className="cass-persona-editor">
      {!draft.seen && (
        <label>
          /persona{" "}
          <input
            className="cass-field"
            aria-label="Name of the persona"
            placeholder="strict-critic"
            value={slug}
            onChange={(event) => onChange({ ...draft, slug: event.target.value })}
          />
        </label>
      )}
      <textarea
        className="cass-field"
        aria-label="Text of the persona"
        rows={9}
        spellCheck={false}
        value={text}
        onChange={(event) => onChange({ ...draft, text: event.target.value })}
      />
      <p className="cass-quiet">
        Between the lines of hyphens also, where it needs them, <code>provider:</code> and <code>model:</code>{" "}
        to answer by, and <code>replace_base: true</code> to stand in place of the base prompt.
      </p>
      <div className="cass-buttons">
        <SaveOrCancel
          isDisabled={!slug.trim() || !text.trim()}
          onSave={() => onSave({ ...draft, slug: slug.trim() })}
          onCancel={onCancel}
        />
      </div>
    </div>
  );
}
