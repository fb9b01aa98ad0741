import { type FormEvent, type ReactNode, useId } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { CheckIcon } from "../shared/icons";
import { LearnedNote } from "../shared/LearnedNote";
import { Problem } from "../shared/Problem";
import { changesOf, hasChanges, keyPlaceholder, lockNote } from "./providerForm";
import { type SetTypedFields, type TestState, type TypedFields, useProviderForm } from "./useProviderForm";

/** Beyond this, one button per model is no help. */
const MANY = 16;

interface Props {
  api: AssistantApi;
  typed: TypedFields;
  onTyped: SetTypedFields;
  onSaved(): void;
}

/** Which model talks: address, key, model, and whether that works. */
export function ProviderForm({ api, typed, onTyped, onSaved }: Props) {
  const form = useProviderForm(api, typed, onTyped, onSaved);
  const { saved, fields, endpoints, test, failure } = form;
  const modelListId = useId();
  if (!saved)
    return failure ? (
      <Problem details={failure}>
        <button type="button" className="cass-button" onClick={() => void form.reload()}>
          Retry
        </button>
      </Problem>
    ) : (
      <p className="cass-quiet">Loading the settings…</p>
    );
  const models = knownModels(test, endpoints?.find(({ baseUrl }) => baseUrl === fields.baseUrl)?.models);
  const forget = (what: "window" | "rules") =>
    void api.context.forget(what).finally(() => form.reload().then(onSaved));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <form className="cass-form" onSubmit={onSubmit}>
      {endpoints && endpoints.length > 0 && (
        <div className="cass-buttons cass-found">
          <span>Running on this machine:</span>
          {endpoints.map((endpoint) => (
            <button
              key={endpoint.baseUrl}
              type="button"
              className="cass-chip"
              title={endpoint.baseUrl}
              disabled={saved.baseUrl.locked}
              aria-pressed={endpoint.baseUrl === fields.baseUrl}
              onClick={() => form.choose(endpoint)}
            >
              {endpoint.label}
              <small>
                {endpoint.models.length === 1 ? endpoint.models[0] : `${endpoint.models.length} models`}
              </small>
            </button>
          ))}
        </div>
      )}
      {saved.shared && (
        <p className="cass-quiet">These settings are the same for all users of this ComfyUI.</p>
      )}
      <div className="cass-fields">
        <Field label="Base URL" note={lockNote(saved.baseUrl)}>
          <input
            className="cass-field"
            type="url"
            inputMode="url"
            spellCheck={false}
            placeholder="http://127.0.0.1:11434/v1"
            value={fields.baseUrl}
            disabled={saved.baseUrl.locked}
            onChange={(event) => form.edit({ baseUrl: event.target.value })}
          />
        </Field>
        <Field label="API key" note={lockNote(saved.apiKey)}>
          <input
            className="cass-field"
            type="password"
            autoComplete="off"
            placeholder={keyPlaceholder(saved)}
            value={fields.apiKey}
            disabled={saved.apiKey.locked}
            onChange={(event) => form.edit({ apiKey: event.target.value })}
          />
        </Field>
        <Field label="Model" note={lockNote(saved.model)}>
          <input
            className="cass-field"
            list={modelListId}
            spellCheck={false}
            placeholder={saved.baseUrl.value ? "the first one of the server" : "Test connection lists them"}
            value={fields.model}
            disabled={saved.model.locked}
            onChange={(event) => form.edit({ model: event.target.value })}
          />
          <datalist id={modelListId}>
            {models.map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
        </Field>
      </div>
      <div className="cass-buttons">
        <button
          type="button"
          className="cass-button"
          disabled={!fields.baseUrl.trim()}
          // A disabled button would lose the focus, and with it the keyboard.
          aria-disabled={test.state === "running"}
          onClick={() => test.state !== "running" && void form.check()}
        >
          {test.state === "running" ? "Testing…" : "Test connection"}
        </button>
        <button
          type="submit"
          className="cass-button cass-primary"
          disabled={!hasChanges(changesOf(fields, saved))}
        >
          Save
        </button>
        {saved.apiKey.set && !saved.apiKey.locked && (
          <button type="button" className="cass-button cass-plain" onClick={() => void form.removeKey()}>
            Remove the saved key
          </button>
        )}
        <TestResult test={test} />
      </div>
      {test.state === "done" && test.result.ok && !saved.model.locked && (
        <fieldset className="cass-buttons cass-found" aria-label="Models of this endpoint">
          {models.length > MANY && <span>Type in the model field to find one of {models.length}.</span>}
          {models.length <= MANY &&
            models.map((model) => (
              <button
                key={model}
                type="button"
                className="cass-chip"
                aria-pressed={model === fields.model}
                onClick={() => form.edit({ model })}
              >
                {model}
              </button>
            ))}
        </fieldset>
      )}
      <LearnedNote
        note={saved.windowNote}
        learnedAt={saved.windowLearnedAt}
        onForget={() => forget("window")}
      />
      {saved.rulesNote && (
        <LearnedNote
          note={saved.rulesNote}
          learnedAt={saved.rulesLearnedAt}
          onForget={() => forget("rules")}
        />
      )}
      {failure && <Problem details={failure} />}
    </form>
  );
}

function knownModels(test: TestState, found: readonly string[] = []): readonly string[] {
  return test.state === "done" && test.result.ok ? test.result.models : found;
}

function Field({ label, note, children }: { label: string; note: string | undefined; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label className="cass-labelled">
      <span>
        {label}
        {note && <em> · {note}</em>}
      </span>
      {children}
    </label>
  );
}

function TestResult({ test }: { test: TestState }) {
  if (test.state !== "done") return null;
  const { result } = test;
  if (!result.ok) return <Problem details={result.error} />;
  const models = `${result.models.length} model${result.models.length === 1 ? "" : "s"}`;
  return (
    <p className="cass-success" role="status">
      <CheckIcon />
      Connected in {Math.round(result.latencyMs)} ms, {models}.
    </p>
  );
}
