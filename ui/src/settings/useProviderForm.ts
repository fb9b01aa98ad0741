import { useCallback, useEffect, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import type { ConnectionTest, DiscoveredEndpoint, ProviderChange, ProviderSettings } from "../api/replies";
import { answeringModel, changesOf, fieldsOf, type ProviderFields } from "./providerForm";

export type TestState = { state: "none" } | { state: "running" } | { state: "done"; result: ConnectionTest };

/** The saved settings, what was typed over them, and what the endpoint answered. */
export function useProviderForm(api: AssistantApi, onSaved: () => void) {
  const [saved, setSaved] = useState<ProviderSettings>();
  const [fields, setFields] = useState<ProviderFields>({ baseUrl: "", model: "", apiKey: "" });
  const [endpoints, setEndpoints] = useState<DiscoveredEndpoint[]>();
  const [test, setTest] = useState<TestState>({ state: "none" });
  const [failure, setFailure] = useState<ErrorDetails>();

  const load = useCallback(async () => {
    setFailure(undefined);
    try {
      const settings = await api.settings();
      setSaved(settings);
      setFields(fieldsOf(settings));
    } catch (error) {
      setFailure(detailsOf(error));
    }
  }, [api]);

  useEffect(() => {
    void load();
    api.discoveredEndpoints().then(setEndpoints, () => setEndpoints([]));
  }, [api, load]);

  const edit = (change: Partial<ProviderFields>) => {
    setFields((previous) => ({ ...previous, ...change }));
    if (change.model === undefined) setTest({ state: "none" });
  };

  async function check(latest: ProviderFields) {
    if (!saved) return;
    setTest({ state: "running" });
    const result = await api
      .testConnection(changesOf(latest, saved))
      .catch((error: unknown): ConnectionTest => ({ ok: false, error: detailsOf(error) }));
    setTest({ state: "done", result });
    if (result.ok && !latest.model.trim())
      setFields((previous) => ({ ...previous, model: answeringModel(result) }));
  }

  async function save(change: ProviderChange) {
    setFailure(undefined);
    try {
      const settings = await api.saveSettings(change);
      setSaved(settings);
      setFields(fieldsOf(settings));
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
      const chosen = { ...fields, baseUrl: endpoint.baseUrl, model: endpoint.models[0] ?? "" };
      setFields(chosen);
      void check(chosen);
    },
    async submit() {
      if (saved && (await save(changesOf(fields, saved)))) onSaved();
    },
    removeKey: () => save({ apiKey: "" }),
  };
}
