import { useCallback, useEffect, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import {
  changeProvider,
  deleteProvider,
  type ProviderEntry,
  type ProviderList,
  readProviders,
} from "../api/providers";
import { Problem } from "../ui/Problem";
import { useOnReturn } from "../ui/useOnReturn";
import { ProviderForm } from "./ProviderForm";
import { lockNote } from "./providerForm";
import type { SetTypedFields, TypedFields } from "./useProviderForm";

interface Props {
  api: AssistantApi;
  typed: TypedFields;
  onTyped: SetTypedFields;
  /** The one to begin with, the list where it is left out. */
  provider?: string | undefined;
  /** Something is otherwise than before: what answers may be, too. */
  onChanged(): void;
}

/** All providers of a person: one is the default, each can be opened, and one more be added. */
export function ProvidersPage({ api, typed, onTyped, provider, onChanged }: Props) {
  const { client } = api.context;
  const [list, setList] = useState<ProviderList>();
  const [failure, setFailure] = useState<ErrorDetails>();
  // What was typed and not saved is gone on with.
  const [open, setOpen] = useState(provider || typed.of);
  const [doomed, setDoomed] = useState<string>();
  const load = useCallback(
    () => readProviders(client).then(setList, (error: unknown) => setFailure(detailsOf(error))),
    [client],
  );
  useEffect(() => void load(), [load]);
  useOnReturn(load);
  const act = async (work: Promise<unknown>) => {
    setFailure(undefined);
    setDoomed(undefined);
    await work.catch((error: unknown) => setFailure(detailsOf(error)));
    await load();
    onChanged();
  };
  // Who goes back gives up what was typed: the settings would open with it again and again.
  const leave = () => {
    setOpen(undefined);
    onTyped({});
  };
  if (!list)
    return failure ? <Problem details={failure} /> : <p className="cass-quiet">Loading the settings…</p>;
  const isNew = open === "" || list.providers.length === 0;
  if (isNew || open !== undefined)
    return (
      <ProviderForm
        key={open}
        api={api}
        typed={typed}
        onTyped={onTyped}
        {...(!isNew && { id: open })}
        {...(list.providers.length > 0 && { onCancel: leave })}
        onSaved={() => {
          setOpen(undefined);
          void load();
          onChanged();
        }}
      />
    );
  return (
    <div className="cass-providers">
      <ul className="cass-lines" aria-label="Providers">
        {list.providers.map((entry) => (
          <li key={entry.id} className="cass-provider" data-default={entry.isDefault || undefined}>
            <button type="button" className="cass-line-button" onClick={() => setOpen(entry.id)}>
              <b>{entry.name}</b>
              <span>{wordsOf(entry)}</span>
            </button>
            {entry.isDefault ? (
              <em>default</em>
            ) : (
              <button
                type="button"
                className="cass-button cass-plain"
                onClick={() => void act(changeProvider(client, entry.id, { isDefault: true }))}
              >
                Make default
              </button>
            )}
            {isDeletable(entry) && (
              <button
                type="button"
                className={`cass-button ${doomed === entry.id ? "cass-danger" : "cass-plain"}`}
                aria-label={doomed === entry.id ? `Delete ${entry.name} for good` : `Delete ${entry.name}`}
                onBlur={() => setDoomed(undefined)}
                onClick={() =>
                  doomed === entry.id ? void act(deleteProvider(client, entry.id)) : setDoomed(entry.id)
                }
              >
                {doomed === entry.id ? "Delete for good" : "Delete"}
              </button>
            )}
          </li>
        ))}
      </ul>
      <div className="cass-buttons">
        <button type="button" className="cass-button" onClick={() => setOpen("")}>
          Add a provider
        </button>
      </div>
      {failure && <Problem details={failure} />}
    </div>
  );
}

const isDeletable = ({ baseUrl }: ProviderEntry) => baseUrl.source === "settings";

function wordsOf({ model, baseUrl, apiKey }: ProviderEntry): string {
  const from = lockNote(baseUrl.source) ?? (baseUrl.source === "discovered" ? "found on this machine" : "");
  const key = apiKey.last4 ? `key …${apiKey.last4}` : apiKey.set ? "has a key" : "";
  return [model.value || "its first model", baseUrl.value, key, from].filter(Boolean).join(" · ");
}
