import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import type { ListedModel } from "../api/listedModel";
import { readProvider } from "../api/providers";
import {
  type ListedProvider,
  listModels,
  listProviders,
  providerOf,
  type Wanted,
} from "../api/threadProvider";
import { Problem } from "../shared/Problem";
import { factWords, modelWords } from "./modelWords";

/** Beyond this, somebody types to find a model. */
const MANY = 8;

interface Props {
  api: AssistantApi;
  /** The open chat; undefined where nothing was said in it. */
  threadId: string | undefined;
  onChoose(wanted: Wanted): void;
  onSettings(): void;
  onClose(): void;
}

/** Who answers in the open chat: one of the providers, or another model of it. */
export function ModelMenu({ api, threadId, onChoose, onSettings, onClose }: Props) {
  const { client } = api.context;
  const [providers, setProviders] = useState<readonly ListedProvider[]>();
  const [current, setCurrent] = useState({ provider: "", model: "" });
  const [models, setModels] = useState<readonly ListedModel[]>();
  const [typed, setTyped] = useState("");
  /** Of providers, window and price. A server that takes its time, or is off, holds nothing up. */
  const [facts, setFacts] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<ErrorDetails>();
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = threadId === undefined ? undefined : providerOf(client, threadId);
    Promise.all([listProviders(client), chosen]).then(
      ([listed, { provider = "", model = "" } = {}]) => {
        setProviders(listed);
        for (const { id } of listed)
          readProvider(client, id).then(
            (provider) => setFacts((known) => ({ ...known, [id]: factWords(provider) })),
            () => {},
          );
        setCurrent({ provider: provider || (listed.find(({ isDefault }) => isDefault)?.id ?? ""), model });
      },
      (error: unknown) => setFailure(detailsOf(error)),
    );
  }, [client, threadId]);
  useEffect(() => {
    if (providers) menu.current?.querySelector<HTMLElement>('[aria-checked="true"], button')?.focus();
  }, [providers]);
  const inUse = providers?.find(({ id }) => id === current.provider);
  const showModels = () => {
    if (!inUse) return;
    setFailure(undefined);
    listModels(client, inUse.id).then(setModels, (error: unknown) => setFailure(detailsOf(error)));
  };
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      return onClose();
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const items = [...(menu.current?.querySelectorAll<HTMLElement>("button, input") ?? [])];
    if (step === 0 || items.length === 0) return;
    event.preventDefault();
    items[
      (items.indexOf(document.activeElement as HTMLElement) + step + items.length) % items.length
    ]?.focus();
  }
  const found = models?.filter(({ id }) => id.toLowerCase().includes(typed.toLowerCase())) ?? [];
  return (
    <div ref={menu} className="cass-model-menu" role="menu" aria-label="Models" onKeyDown={onKeyDown}>
      {providers?.map(({ id, name, model, baseUrl, isDefault }) => (
        <Item
          key={id}
          isChosen={id === current.provider && current.model === ""}
          name={name}
          about={[
            model.value !== name && model.value,
            facts[id],
            new URL(baseUrl.value).host,
            isDefault && "default",
          ]}
          onChoose={() => onChoose({ provider: isDefault ? "" : id })}
        />
      ))}
      {!providers && !failure && <p className="cass-quiet">One moment…</p>}
      {current.model && (
        <Item isChosen name={current.model} about={[inUse?.baseUrl.value]} onChoose={onClose} />
      )}
      {models && models.length > MANY && (
        <input
          className="cass-field"
          aria-label="Find a model"
          placeholder={`Find one of ${models.length}`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {found.slice(0, 4 * MANY).map((model) => (
        <Item
          key={model.id}
          isChosen={model.id === current.model}
          name={model.id}
          about={[modelWords(model)]}
          onChoose={() => onChoose({ provider: current.provider, model: model.id })}
        />
      ))}
      {failure && <Problem details={failure} />}
      <footer>
        {inUse && !models && (
          <button type="button" className="cass-link" onClick={showModels}>
            Other models of {inUse.name}
          </button>
        )}
        <button type="button" className="cass-link" onClick={onSettings}>
          Open settings
        </button>
      </footer>
    </div>
  );
}

function Item({
  isChosen,
  name,
  about,
  onChoose,
}: {
  isChosen: boolean;
  name: string;
  about: readonly (string | number | false | null | undefined)[];
  onChoose(): void;
}) {
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isChosen}
      className="cass-line-button"
      onClick={onChoose}
    >
      <b>{name}</b>
      <span>{about.filter(Boolean).join(" · ")}</span>
    </button>
  );
}
