/** Workflows that the server has: its templates, and what is kept in files of runs. */

import type { StoredFile } from "../../bridge";
import type { Page } from "../page";

/** Undefined when there is none of that name. */
export async function fetchTemplate({ api }: Page, name: string): Promise<unknown> {
  const response = await api.fetchApi(`/assistant/templates/${encodeURIComponent(name)}`);
  if (response.status === 404) return undefined;
  const reply = await response.json();
  if (!response.ok) throw new Error(reply?.error?.message ?? `ComfyUI answered ${response.status}`);
  return reply.workflow;
}

/** Undefined when there is no such file. */
export async function fetchFile(
  { api }: Page,
  { filename, subfolder, type }: StoredFile,
): Promise<Uint8Array | undefined> {
  const response = await api.fetchApi(`/view?${new URLSearchParams({ filename, subfolder, type })}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`ComfyUI answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
