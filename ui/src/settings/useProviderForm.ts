import { type Dispatch, type SetStateAction, useCallback, useEffect, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import type { ConnectionTest, DiscoveredEndpoint, ProviderChange, ProviderSettings } from "../api/replies";
import { answeringModel, changesOf, fieldsOf, type ProviderFields } from "./providerForm";

const NOTHING: ProviderFields = { baseUrl: "", model: "", apiKey: "" };

export type TestState = { state: "none" } | { state: "running" } | { state: "done"; result: ConnectionTest };

/** What was typed over the saved settings and is not saved yet; it outlives the form. */
export type TypedFields = Partial<ProviderFields>;
export type SetTypedFields = Dispatch<SetStateAction<TypedFields>>;

/** The saved settings, what was typed over them, and what the endpoint answered. */
export function useProviderForm(
  api: AssistantApi,
  typed: TypedFields,
  onTyped: SetTypedFields,
  onSaved: () => void,
) {
  const [saved, setSaved] = useState<ProviderSettings>();
  const [endpoints, setEndpoints] = useState<DiscoveredEndpoint[]>();
  const [test, setTest] = useState<TestState>({ state: "none" });
  const [failure, setFailure] = useState<ErrorDetails>();

  const load = useCallback(async () => {
    setFailure(undefined);
    try {
      setSaved(await api.settings());
    } catch (error) {
      setFailure(detailsOf(error));
    }
  }, [api]);

  useEffect(() => {
    void load();
    api.discoveredEndpoints().then(setEndpoints, () => setEndpoints([]));
  }, [api, load]);

  const fields = { ...(saved ? fieldsOf(saved) : NOTHING), ...typed };
  const edit = (change: TypedFields) => {
    onTyped((previous) => ({ ...previous, ...change }));
    setFailure(undefined);
    if (change.model === undefined) setTest({ state: "none" });
  };

  async function check(latest: ProviderFields) {
    if (!saved) return;
    setFailure(undefined);
    setTest({ state: "running" });
    const result = await api
      .testConnection(changesOf(latest, saved))
      .catch((error: unknown): ConnectionTest => ({ ok: false, error: detailsOf(error) }));
    setTest({ state: "done", result });
    if (result.ok && !latest.model.trim())
      onTyped((previous) => ({ ...previous, model: answeringModel(result) }));
  }

  async function save(change: ProviderChange) {
    setFailure(undefined);
    setTest({ state: "none" });
    try {
      setSaved(await api.saveSettings(change));
      return true;
    } catch (error) {
      setFailure(detailsOf(error));
      return false;
    }
  }

  return {
    saved,
    fields,
    endpoints,
    test,
    failure,
    reload: load,
    edit,
    check: () => check(fields),
    /** Fill in an endpoint that was found on this machine, and see whether it answers. */
    choose(endpoint: DiscoveredEndpoint) {
      const chosen = { baseUrl: endpoint.baseUrl, model: endpoint.models[0] ?? "" };
      edit(chosen);
      void check({ ...fields, ...chosen });
    },
    async submit() {
      if (!saved || !(await save(changesOf(fields, saved)))) return;
      onTyped({});
      onSaved();
    },
    removeKey: () => save({ apiKey: "" }),
  };
}
