import type { ProviderChange, ProviderSettings } from "../api/replies";

/** The form's fields as typed. The key is never read back: an empty field keeps the one that is saved. */
export interface ProviderFields {
  baseUrl: string;
  model: string;
  apiKey: string;
}

export function fieldsOf({ baseUrl, model }: ProviderSettings): ProviderFields {
  return { baseUrl: baseUrl.value, model: model.value, apiKey: "" };
}

/** What differs from the saved settings; a locked field never does. */
export function changesOf(fields: ProviderFields, saved: ProviderSettings): ProviderChange {
  const baseUrl = fields.baseUrl.trim();
  const model = fields.model.trim();
  const apiKey = fields.apiKey.trim();
  return {
    ...(!saved.baseUrl.locked && baseUrl !== saved.baseUrl.value && { baseUrl }),
    ...(!saved.model.locked && model !== saved.model.value && { model }),
    ...(!saved.apiKey.locked && apiKey && { apiKey }),
  };
}

export function hasChanges(change: ProviderChange): boolean {
  return Object.keys(change).length > 0;
}

/** The model that answered the test, or the only one there is; empty where somebody has to choose. */
export function answeringModel({ model, models }: { model: string; models: readonly string[] }): string {
  return model || (models.length === 1 ? (models[0] ?? "") : "");
}

/** Where a locked field gets its value from, in words. */
export function lockNote(setting: { locked: boolean; source: string }): string | undefined {
  if (!setting.locked) return undefined;
  return setting.source === "file" ? "set by the .env file" : "set by environment";
}

export function keyPlaceholder({ apiKey }: ProviderSettings): string {
  if (apiKey.set) return apiKey.last4 ? `saved, ends in ${apiKey.last4}` : "saved";
  return "none (local servers need none)";
}
