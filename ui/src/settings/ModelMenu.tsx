import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import type { ListedModel } from "../api/listedModel";
import { readProvider, type WholeProvider } from "../api/providers";
import {
  type ListedProvider,
  listModels,
  listProviders,
  providerOf,
  type Wanted,
} from "../api/threadProvider";
import { Button } from "../ui/Button";
import { Field } from "../ui/Field";
import { Loading } from "../ui/Loading";
import { Problem } from "../ui/Problem";
import { WiderWindowNote } from "../ui/WiderWindowNote";
import { assumedWords, factWords, modelWords } from "./modelWords";

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
  const [facts, setFacts] = useState<Readonly<Record<string, WholeProvider["facts"]>>>({});
  const [failure, setFailure] = useState<ErrorDetails>();
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = threadId === undefined ? undefined : providerOf(client, threadId);
    Promise.all([listProviders(client), chosen]).then(
      ([listed, { provider = "", model = "" } = {}]) => {
        setProviders(listed);
        for (const { id } of listed)
          readProvider(client, id).then(
            (provider) => setFacts((known) => ({ ...known, [id]: provider.facts })),
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
  const factsInUse = inUse && current.model === "" ? facts[inUse.id] : undefined;
  const assumed = assumedWords(factsInUse);
  const showModels = () => {
    if (!inUse) return;
    setFailure(undefined);
    listModels(client, inUse.id).then(setModels, (error: unknown) => setFailure(detailsOf(error)));
  };
  // The button that asked for them is gone, and with it the focus.
  useEffect(() => {
    if (models) menu.current?.querySelector<HTMLElement>("input, [data-model]")?.focus();
  }, [models]);
  const found = models?.filter(({ id }) => id.toLowerCase().includes(typed.toLowerCase())) ?? [];
  const chooseModel = ({ id: model }: ListedModel) => onChoose({ provider: current.provider, model });
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      return onClose();
    }
    const items = [...(menu.current?.querySelectorAll<HTMLElement>("button, input") ?? [])];
    const next = itemAfter(event, items.indexOf(document.activeElement as HTMLElement), items.length);
    if (next === undefined) return;
    event.preventDefault();
    items[next]?.focus();
  }
  return (
    <div
      ref={menu}
      className="cass-model-menu"
      role="dialog"
      aria-label="Choose a model"
      onKeyDown={onKeyDown}
    >
      {(providers || current.model) && (
        <div role="menu" aria-label="Models">
          {providers?.map(({ id, name, model, baseUrl, isDefault }) => (
            <Item
              key={id}
              isChosen={id === current.provider && current.model === ""}
              name={name}
              about={[
                model.value !== name && model.value,
                factWords(facts[id]),
                new URL(baseUrl.value).host,
                isDefault && "default",
              ]}
              onChoose={() => onChoose({ provider: isDefault ? "" : id })}
            />
          ))}
          {current.model && (
            <Item isChosen name={current.model} about={[inUse?.baseUrl.value]} onChoose={onClose} />
          )}
        </div>
      )}
      {factsInUse?.widerWindow && <WiderWindowNote {...factsInUse.widerWindow} />}
      {assumed && <p className="cass-quiet">{assumed}</p>}
      {!providers && !failure && <Loading />}
      {models && models.length > MANY && (
        <Field
          label="Find a model"
          isLabelHidden
          placeholder={`Find one of ${models.length}`}
          value={typed}
          onValue={setTyped}
          onKeyDown={(event) => {
            if (event.key === "Enter" && typed && found[0]) chooseModel(found[0]);
          }}
        />
      )}
      {typed && found.length === 0 && <p className="cass-quiet">No model has “{typed}” in its name.</p>}
      {found.length > 0 && (
        <div role="menu" aria-label={`Served by ${inUse?.name}`}>
          {found.slice(0, 4 * MANY).map((model) => (
            <Item
              key={model.id}
              isChosen={model.id === current.model}
              name={model.id}
              about={[modelWords(model)]}
              isModel
              onChoose={() => chooseModel(model)}
            />
          ))}
        </div>
      )}
      {failure && <Problem details={failure} />}
      <footer>
        {inUse && !models && (
          <Button look="link" onClick={showModels}>
            Other models of {inUse.name}
          </Button>
        )}
        <Button look="link" onClick={onSettings}>
          Open settings
        </Button>
      </footer>
    </div>
  );
}

/** Which of so many items has the keyboard after a key; undefined where the key goes to none. */
function itemAfter({ key, target }: KeyboardEvent, current: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown") return (current + 1) % count;
  if (key === "ArrowUp") return (current - 1 + count) % count;
  // In a text they go to its own ends.
  if (target instanceof HTMLInputElement) return undefined;
  return key === "Home" ? 0 : key === "End" ? count - 1 : undefined;
}

interface ItemProps {
  isChosen: boolean;
  name: string;
  about: readonly (string | number | false | null | undefined)[];
  /** Of the provider in use, not a provider. */
  isModel?: boolean;
  onChoose(): void;
}

function Item({ isChosen, name, about, isModel, onChoose }: ItemProps) {
  const details = about.filter(Boolean).join(" · ");
  return (
    <Button
      look="line"
      role="menuitemradio"
      aria-checked={isChosen}
      data-model={isModel}
      // Both are cut where they are long.
      title={`${name}\n${details}`}
      onClick={onChoose}
    >
      <b>{name}</b>
      <span>{details}</span>
    </Button>
  );
}
