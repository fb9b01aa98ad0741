import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import {
  addProvider,
  type ConnectionTest,
  changeProvider,
  forgetLearned,
  type ProviderChange,
  type ProviderList,
  readProvider,
  readProviders,
  testConnection,
  type WholeProvider,
} from "../api/providers";
import {
  answeringModel,
  changesOf,
  fieldsOf,
  hasChanges,
  NOTHING,
  type ProviderFields,
} from "./providerForm";
import { useFoundServers } from "./useFoundServers";

export type TestState = { state: "none" } | { state: "running" } | { state: "done"; result: ConnectionTest };

/** What was typed of the provider `of` ("" for a new one) and is not saved yet; it outlives the form. */
export type TypedFields = Partial<ProviderFields> & { of?: string };
export type SetTypedFields = Dispatch<SetStateAction<TypedFields>>;

/** A provider as it is saved, or a new one; what was typed over it, and what its server answered. */
export function useProviderForm(
  api: AssistantApi,
  id: string,
  typed: TypedFields,
  onTyped: SetTypedFields,
  onSaved: () => void,
) {
  const { client } = api.context;
  const [saved, setSaved] = useState<WholeProvider>();
  const endpoints = useFoundServers(client, id === "");
  const [presets, setPresets] = useState<ProviderList["presets"]>();
  const [test, setTest] = useState<TestState>({ state: "none" });
  const [failure, setFailure] = useState<ErrorDetails>();

  const load = useCallback(async () => {
    setFailure(undefined);
    try {
      if (id) setSaved(await readProvider(client, id));
    } catch (error) {
      setFailure(detailsOf(error));
    }
  }, [client, id]);

  useEffect(() => {
    void load();
    if (id) return;
    readProviders(client).then(
      (list) => setPresets(list.presets),
      () => setPresets([]),
    );
  }, [client, id, load]);

  const { of = "", ...mine } = typed;
  const fields: ProviderFields = { ...(saved ? fieldsOf(saved) : NOTHING), ...(of === id && mine) };
  const change = changesOf(fields, saved);
  // What runs on this machine and nobody entered: it is saved as a provider of the person.
  const isFound = saved?.baseUrl.source === "discovered";
  const edit = (next: Partial<ProviderFields>) => {
    onTyped((previous) => ({ ...((previous.of ?? "") === id && previous), of: id, ...next }));
    setFailure(undefined);
    if (next.baseUrl !== undefined || next.apiKey !== undefined) setTest({ state: "none" });
  };

  async function check(latest: ProviderFields) {
    setFailure(undefined);
    setTest({ state: "running" });
    const { baseUrl, model, apiKey } = changesOf(latest, saved);
    const asked = { ...(id && { id }), baseUrl: baseUrl ?? latest.baseUrl, model, apiKey };
    const result = await testConnection(client, asked).catch(
      (error: unknown): ConnectionTest => ({ ok: false, error: detailsOf(error) }),
    );
    setTest({ state: "done", result });
    if (result.ok && !latest.model.trim()) edit({ model: answeringModel(result) });
  }

  async function save(next: ProviderChange) {
    setFailure(undefined);
    try {
      if (saved && !isFound)
        setSaved(await changeProvider(client, saved.id, { ...next, seen: saved.version }));
      else await addProvider(client, { baseUrl: fields.baseUrl, model: fields.model, ...next });
      return true;
    } catch (error) {
      setFailure(detailsOf(error));
      return false;
    }
  }

  return {
    isLoading: id === "" ? presets === undefined : saved === undefined,
    saved,
    fields,
    canSave: fields.baseUrl.trim() !== "" && (isFound || hasChanges(change)),
    endpoints,
    /** Those that its server is known to have. */
    models: knownModels(test, endpoints?.find(({ baseUrl }) => baseUrl === fields.baseUrl)?.models),
    /** Addresses that a new one can be begun with. */
    presets: presets ?? [],
    test,
    failure,
    reload: load,
    edit,
    check: () => check(fields),
    /** Fill in an address, and see whether it answers. */
    choose(baseUrl: string, model = "") {
      const chosen = { baseUrl, model };
      edit(chosen);
      void check({ ...fields, ...chosen });
    },
    fill: (baseUrl: string) => edit({ baseUrl, model: "" }),
    async submit() {
      if (!(await save(change))) return;
      onTyped({});
      onSaved();
    },
    removeKey: () => save({ apiKey: "" }),
    async forget(what: "window" | "rules") {
      if (!saved) return;
      await forgetLearned(client, saved.id, what).catch((error: unknown) => setFailure(detailsOf(error)));
      await load();
    },
  };
}

export type ProviderFormState = ReturnType<typeof useProviderForm>;

function knownModels(test: TestState, found: readonly string[] = []): readonly string[] {
  return test.state === "done" && test.result.ok ? test.result.models : found;
}
