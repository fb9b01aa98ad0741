import { useCallback, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { changeProvider, deleteProvider, type ProviderEntry, readProviders } from "../api/providers";
import { Button } from "../ui/Button";
import { Confirmation } from "../ui/Confirmation";
import { Loaded } from "../ui/Page";
import { useResource } from "../ui/useResource";
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
  const list = useResource(useCallback(() => readProviders(client), [client]));
  // What was typed and not saved is gone on with.
  const [open, setOpen] = useState(provider || typed.of);
  const change = async (make: () => Promise<unknown>) => {
    await list.perform(make);
    onChanged();
  };
  // Who goes back gives up what was typed: the settings would open with it again and again.
  const leave = () => {
    setOpen(undefined);
    onTyped({});
  };
  return (
    <Loaded of={list}>
      {({ providers }) => {
        const isNew = open === "" || providers.length === 0;
        if (isNew || open !== undefined)
          return (
            <ProviderForm
              key={open}
              api={api}
              typed={typed}
              onTyped={onTyped}
              {...(!isNew && { id: open })}
              {...(providers.length > 0 && { onCancel: leave })}
              onSaved={() => {
                setOpen(undefined);
                void list.reload();
                onChanged();
              }}
            />
          );
        return (
          <>
            <ul className="cass-rows" aria-label="Providers">
              {providers.map((entry) => (
                <ProviderLine
                  key={entry.id}
                  entry={entry}
                  onOpen={() => setOpen(entry.id)}
                  onDefault={() => void change(() => changeProvider(client, entry.id, { isDefault: true }))}
                  onDelete={() => void change(() => deleteProvider(client, entry.id))}
                />
              ))}
            </ul>
            <div className="cass-buttons">
              <Button onClick={() => setOpen("")}>Add a provider</Button>
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

interface LineProps {
  entry: ProviderEntry;
  onOpen(): void;
  onDefault(): void;
  onDelete(): void;
}

function ProviderLine({ entry, onOpen, onDefault, onDelete }: LineProps) {
  const { name, isDefault } = entry;
  const [isAsking, setAsking] = useState(false);
  if (isAsking)
    return (
      <li>
        <Confirmation
          question={`Delete “${name}”?`}
          about="Its key goes with it, and cannot be brought back."
          onDelete={onDelete}
          onKeep={() => setAsking(false)}
        />
      </li>
    );
  return (
    <li data-default={isDefault || undefined}>
      <Button look="line" onClick={onOpen}>
        <b>{name}</b>
        <span>{wordsOf(entry)}</span>
      </Button>
      {isDefault ? (
        <em>default</em>
      ) : (
        <Button look="plain" onClick={onDefault}>
          Make default
        </Button>
      )}
      {isDeletable(entry) && (
        <Button look="plain" aria-label={`Delete ${name}`} onClick={() => setAsking(true)}>
          Delete
        </Button>
      )}
    </li>
  );
}

const isDeletable = ({ baseUrl }: ProviderEntry) => baseUrl.source === "settings";

function wordsOf({ model, baseUrl, apiKey }: ProviderEntry): string {
  const from = lockNote(baseUrl.source) ?? (baseUrl.source === "discovered" ? "found on this machine" : "");
  const key = apiKey.last4 ? `key …${apiKey.last4}` : apiKey.set ? "has a key" : "";
  return [model.value || "its first model", baseUrl.value, key, from].filter(Boolean).join(" · ");
}
