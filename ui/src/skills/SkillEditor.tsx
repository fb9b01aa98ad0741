import { type ComponentType, useDeferredValue, useState } from "react";
import { Field, TextArea } from "../ui/Field";
import { SaveOrCancel } from "../ui/SaveOrCancel";
import type { Draft } from "./draftOfChat";

interface Props {
  draft: Draft;
  onChange(draft: Draft): void;
  /** The slug is that of a file that is there. */
  isNamed?: boolean;
  Markdown: ComponentType<{ text: string }>;
  onSave(slug: string, text: string): Promise<void>;
  onCancel(): void;
}

/** A skill's file as it is written, and beside it what it reads like. */
export function SkillEditor({ draft, onChange, isNamed = false, Markdown, onSave, onCancel }: Props) {
  const { slug, text } = draft;
  const [isSaving, setSaving] = useState(false);
  const preview = useDeferredValue(text);
  async function save() {
    setSaving(true);
    await onSave(slug.trim(), text);
    setSaving(false);
  }
  return (
    <>
      {!isNamed && (
        <Field
          label="Name"
          note="used as /skill and this name"
          value={slug}
          onValue={(slug) => onChange({ slug, text })}
        />
      )}
      <div className="cass-skill-editor">
        <TextArea
          label="Text"
          isLabelHidden
          spellCheck={false}
          value={text}
          onValue={(text) => onChange({ slug, text })}
        />
        <section className="cass-section" aria-label="Preview">
          <small>Preview</small>
          <Markdown text={bodyOf(preview)} />
        </section>
      </div>
      <div className="cass-buttons">
        <SaveOrCancel
          isDisabled={isSaving || !slug.trim() || !text.trim()}
          onSave={save}
          onCancel={onCancel}
        />
      </div>
    </>
  );
}

/** What stands below the front matter. */
export function bodyOf(text: string): string {
  return text.replace(/^---\s*\n[\s\S]*?\n---\s*(\n|$)/, "");
}
