import { type ReactNode, useId } from "react";
import { Field, Select } from "../ui/Field";
import { modelWords } from "./modelWords";
import { keyNote, keyPlaceholder, lockNote } from "./providerForm";
import type { ProviderFormState } from "./useProviderForm";

interface Props {
  form: ProviderFormState;
  /** Stands where another field would. */
  children?: ReactNode;
}

/** Where a provider is, its key and its model. */
export function ProviderFields({ form, children }: Props) {
  const { saved, fields, presets, models, test } = form;
  const modelListId = useId();
  const details = test.state === "done" && test.result.ok ? test.result.details : [];
  const preset = presets.find(({ baseUrl }) => baseUrl === fields.baseUrl);
  const locks = { baseUrl: lockNote(saved?.baseUrl.source), model: lockNote(saved?.model.source) };
  return (
    <div className="cass-fields">
      {presets.length > 0 && (
        <Select label="Common servers" value={preset?.baseUrl ?? ""} onValue={form.fill}>
          <option value="">{fields.baseUrl ? "Another one" : "Choose one, or type an address"}</option>
          {[true, false].map((local) => (
            <optgroup key={String(local)} label={local ? "On this machine" : "Elsewhere"}>
              {presets
                .filter((preset) => preset.local === local)
                .map(({ label, baseUrl }) => (
                  <option key={baseUrl} value={baseUrl}>
                    {label}
                  </option>
                ))}
            </optgroup>
          ))}
        </Select>
      )}
      <Field
        label="Base URL"
        note={locks.baseUrl}
        inputMode="url"
        spellCheck={false}
        placeholder="http://127.0.0.1:11434/v1"
        value={fields.baseUrl}
        disabled={locks.baseUrl !== undefined}
        onValue={(baseUrl) => form.edit({ baseUrl })}
      />
      <Field
        label="API key"
        note={keyNote(saved)}
        type="password"
        autoComplete="off"
        placeholder={keyPlaceholder(saved, preset)}
        value={fields.apiKey}
        disabled={saved?.apiKey.locked}
        onValue={(apiKey) => form.edit({ apiKey })}
      />
      <Field
        label="Model"
        note={locks.model}
        list={modelListId}
        spellCheck={false}
        placeholder={saved || models.length > 0 ? "server's first model" : "Test connection lists them"}
        value={fields.model}
        disabled={locks.model !== undefined}
        onValue={(model) => form.edit({ model })}
      />
      <datalist id={modelListId}>
        {models.map((model) => (
          <option key={model} value={model}>
            {modelWords(details.find(({ id }) => id === model))}
          </option>
        ))}
      </datalist>
      {children}
    </div>
  );
}
