import { Field, TextArea } from "../ui/Field";
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
    <>
      {!draft.seen && (
        <Field
          label="Name of the persona"
          note="chosen with /persona and this name"
          placeholder="strict-critic"
          value={slug}
          onValue={(slug) => onChange({ ...draft, slug })}
        />
      )}
      <TextArea
        label="Text of the persona"
        isLabelHidden
        rows={9}
        spellCheck={false}
        value={text}
        onValue={(text) => onChange({ ...draft, text })}
      />
      <p className="cass-quiet">
        Optional, between the <code>---</code> lines: <code>provider</code>, <code>model</code>, and{" "}
        <code>replace_base: true</code> to replace the base prompt.
      </p>
      <div className="cass-buttons">
        <SaveOrCancel
          isDisabled={!slug.trim() || !text.trim()}
          onSave={() => onSave({ ...draft, slug: slug.trim() })}
          onCancel={onCancel}
        />
      </div>
    </>
  );
}
