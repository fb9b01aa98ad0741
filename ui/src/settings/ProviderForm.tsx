import { type FormEvent, useEffect, useId, useRef } from "react";
import type { AssistantApi } from "../api/assistantApi";
import type { ConnectionTest } from "../api/providers";
import { CheckIcon } from "../ui/icons";
import { LearnedNote } from "../ui/LearnedNote";
import { Problem } from "../ui/Problem";
import { FoundServers } from "./FoundServers";
import { modelWords } from "./modelWords";
import { ProviderField } from "./ProviderField";
import { ProviderValues } from "./ProviderValues";
import { keyNote, keyPlaceholder, lockNote } from "./providerForm";
import { type SetTypedFields, type TestState, type TypedFields, useProviderForm } from "./useProviderForm";

/** Beyond this, one button per model is no help. */
const MANY = 16;

interface Props {
  api: AssistantApi;
  /** The provider to change; a new one where it is left out. */
  id?: string;
  typed: TypedFields;
  onTyped: SetTypedFields;
  onSaved(): void;
  onCancel?: () => void;
}

/** One provider: address, key, model, what is known of it, and whether that works. */
export function ProviderForm({ api, id = "", typed, onTyped, onSaved, onCancel }: Props) {
  const form = useProviderForm(api, id, typed, onTyped, onSaved);
  const { saved, fields, endpoints, presets, test, failure } = form;
  const modelListId = useId();
  const outcome = useRef<HTMLDivElement>(null);
  // In a low panel it lies below the edge.
  useEffect(() => {
    if (test.state === "done") outcome.current?.scrollIntoView({ block: "nearest" });
  }, [test]);
  const page = useRef<HTMLFormElement>(null);
  // Who came from the list has pressed a button that is gone.
  const isOpened = onCancel !== undefined && !form.isLoading;
  useEffect(() => {
    if (isOpened) page.current?.querySelector<HTMLElement>(":is(select, input):enabled")?.focus();
  }, [isOpened]);
  const back = onCancel && (
    <button type="button" className="cass-button cass-plain" onClick={onCancel}>
      Back to the list
    </button>
  );
  if (form.isLoading)
    return failure ? (
      <Problem details={failure}>
        <button type="button" className="cass-button" onClick={() => void form.reload()}>
          Retry
        </button>
        {back}
      </Problem>
    ) : (
      <p className="cass-quiet">Loading the settings…</p>
    );
  const models = knownModels(test, endpoints?.find(({ baseUrl }) => baseUrl === fields.baseUrl)?.models);
  const preset = presets.find(({ baseUrl }) => baseUrl === fields.baseUrl);
  const about = (model: string) => modelWords(knownDetails(test).find(({ id: each }) => each === model));
  const locks = { baseUrl: lockNote(saved?.baseUrl.source), model: lockNote(saved?.model.source) };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit();
  };
  /** Its two buttons stand beside the fields, where a low panel shows them, too. */
  const isFirst = !saved && !back;
  const values = <ProviderValues fields={fields} facts={saved?.facts} onEdit={form.edit} />;
  const buttons = (
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
      <button type="submit" className="cass-button cass-primary" disabled={!form.canSave}>
        Save
      </button>
      {back}
      {saved?.apiKey.set && !saved.apiKey.locked && (
        <button type="button" className="cass-button cass-plain" onClick={() => void form.removeKey()}>
          Remove the saved key
        </button>
      )}
    </div>
  );
  return (
    <form
      ref={page}
      className="cass-form"
      aria-label={saved ? `Provider ${saved.name}` : "New provider"}
      onSubmit={onSubmit}
    >
      {!saved && (
        <FoundServers
          servers={endpoints}
          baseUrl={fields.baseUrl}
          onChoose={({ baseUrl, models: [first] }) => form.choose(baseUrl, first)}
        />
      )}
      <div className="cass-fields">
        {presets.length > 0 && (
          <ProviderField label="Usual servers">
            <select
              className="cass-field"
              value={preset?.baseUrl ?? ""}
              onChange={(event) => form.fill(event.target.value)}
            >
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
            </select>
          </ProviderField>
        )}
        <ProviderField label="Base URL" note={locks.baseUrl}>
          <input
            className="cass-field"
            inputMode="url"
            spellCheck={false}
            placeholder="http://127.0.0.1:11434/v1"
            value={fields.baseUrl}
            disabled={locks.baseUrl !== undefined}
            onChange={(event) => form.edit({ baseUrl: event.target.value })}
          />
        </ProviderField>
        <ProviderField label="API key" note={keyNote(saved)}>
          <input
            className="cass-field"
            type="password"
            autoComplete="off"
            placeholder={keyPlaceholder(saved, preset)}
            value={fields.apiKey}
            disabled={saved?.apiKey.locked}
            onChange={(event) => form.edit({ apiKey: event.target.value })}
          />
        </ProviderField>
        <ProviderField label="Model" note={locks.model}>
          <input
            className="cass-field"
            list={modelListId}
            spellCheck={false}
            placeholder={
              saved || models.length > 0 ? "the first one of the server" : "Test connection lists them"
            }
            value={fields.model}
            disabled={locks.model !== undefined}
            onChange={(event) => form.edit({ model: event.target.value })}
          />
          <datalist id={modelListId}>
            {models.map((model) => (
              <option key={model} value={model}>
                {about(model)}
              </option>
            ))}
          </datalist>
        </ProviderField>
        {isFirst && buttons}
      </div>
      {saved && values}
      {!isFirst && buttons}
      {test.state === "done" && (
        <div className="cass-outcome" ref={outcome}>
          <TestResult result={test.result} onMeant={(baseUrl) => form.choose(baseUrl, fields.model)} />
          {test.result.ok && !locks.model && (
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
                    <small>{about(model)}</small>
                  </button>
                ))}
            </fieldset>
          )}
        </div>
      )}
      {/* For a first connection nobody needs them. */}
      {!saved && values}
      {saved?.facts && (
        <LearnedNote
          note={saved.facts.windowNote}
          learnedAt={saved.facts.windowLearnedAt}
          onForget={() => void form.forget("window")}
        />
      )}
      {saved?.rulesNote && (
        <LearnedNote
          note={saved.rulesNote}
          learnedAt={saved.rulesLearnedAt}
          onForget={() => void form.forget("rules")}
        />
      )}
      {saved?.problem && <Problem details={saved.problem} />}
      {failure && (
        <Problem details={failure}>
          {failure.code === "changed_meanwhile" && (
            <button type="button" className="cass-button" onClick={() => void form.reload()}>
              Show it as it is now
            </button>
          )}
        </Problem>
      )}
    </form>
  );
}

function knownModels(test: TestState, found: readonly string[] = []): readonly string[] {
  return test.state === "done" && test.result.ok ? test.result.models : found;
}

function knownDetails(test: TestState) {
  return test.state === "done" && test.result.ok ? test.result.details : [];
}

function TestResult({ result, onMeant }: { result: ConnectionTest; onMeant(baseUrl: string): void }) {
  if (!result.ok) {
    const { meant } = result;
    return (
      <Problem details={result.error}>
        {meant && (
          <button type="button" className="cass-button" onClick={() => onMeant(meant)}>
            Use {meant}
          </button>
        )}
      </Problem>
    );
  }
  if (result.models.length === 0 && !result.model)
    return (
      <Problem
        details={{
          message: "It answers, but it has no model yet.",
          hint: "Fetch one with that server, as by “ollama pull qwen3”, and test again.",
        }}
      />
    );
  const models = `${result.models.length} model${result.models.length === 1 ? "" : "s"}`;
  return (
    <p className="cass-success" role="status">
      <CheckIcon />
      Connected in {Math.round(result.latencyMs)} ms, {models}.
    </p>
  );
}
