import { type FormEvent, type RefObject, useEffect, useRef } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { Button } from "../ui/Button";
import { LearnedNote } from "../ui/LearnedNote";
import { Loading } from "../ui/Loading";
import { Problem } from "../ui/Problem";
import { FoundServers } from "./FoundServers";
import { ProviderFields } from "./ProviderFields";
import { ProviderValues } from "./ProviderValues";
import { lockNote } from "./providerForm";
import { TestOutcome } from "./TestOutcome";
import {
  type ProviderFormState,
  type SetTypedFields,
  type TypedFields,
  useProviderForm,
} from "./useProviderForm";

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
  const { saved, fields, failure } = form;
  const page = useFirstField(onCancel !== undefined && !form.isLoading);
  const back = onCancel && (
    <Button look="plain" onClick={onCancel}>
      Back to the list
    </Button>
  );
  if (form.isLoading)
    return failure ? (
      <Problem details={failure} retry={() => void form.reload()}>
        {back}
      </Problem>
    ) : (
      <Loading />
    );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit();
  };
  /** Its two buttons stand beside the fields, where a low panel shows them, too. */
  const isFirst = !saved && !back;
  const values = <ProviderValues fields={fields} facts={saved?.facts} onEdit={form.edit} />;
  const buttons = (
    <div className="cass-buttons">
      <FormButtons form={form} />
      {back}
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
          servers={form.endpoints}
          baseUrl={fields.baseUrl}
          onChoose={({ baseUrl, models: [first] }) => form.choose(baseUrl, first)}
        />
      )}
      <ProviderFields form={form}>{isFirst && buttons}</ProviderFields>
      {saved && values}
      {!isFirst && buttons}
      {form.test.state === "done" && (
        <TestOutcome
          result={form.test.result}
          model={fields.model}
          isModelLocked={lockNote(saved?.model.source) !== undefined}
          onMeant={(baseUrl) => form.choose(baseUrl, fields.model)}
          onModel={(model) => form.edit({ model })}
        />
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
            <Button onClick={() => void form.reload()}>Show it as it is now</Button>
          )}
        </Problem>
      )}
    </form>
  );
}

/** Puts the keyboard into the first field: who came from the list has pressed a button that is gone. */
function useFirstField(isOpened: boolean): RefObject<HTMLFormElement | null> {
  const page = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isOpened) page.current?.querySelector<HTMLElement>(":is(select, input):enabled")?.focus();
  }, [isOpened]);
  return page;
}

function FormButtons({
  form: { saved, fields, test, canSave, check, removeKey },
}: {
  form: ProviderFormState;
}) {
  const isTesting = test.state === "running";
  return (
    <>
      <Button
        disabled={!fields.baseUrl.trim()}
        // A disabled button would lose the focus, and with it the keyboard.
        aria-disabled={isTesting}
        onClick={() => !isTesting && void check()}
      >
        {isTesting ? "Testing…" : "Test connection"}
      </Button>
      <Button look="primary" type="submit" disabled={!canSave}>
        Save
      </Button>
      {saved?.apiKey.set && !saved.apiKey.locked && (
        <Button look="plain" onClick={() => void removeKey()}>
          Remove the saved key
        </Button>
      )}
    </>
  );
}
