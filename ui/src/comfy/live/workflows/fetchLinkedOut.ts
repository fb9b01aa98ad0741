/** Asks the server which names of files a link of the file system leads out of ComfyUI's folders. */

import { z } from "zod";
import type { Page } from "../page";

const reply = z.object({ outside: z.array(z.string()) });

export async function fetchLinkedOut({ api }: Page, names: readonly string[]): Promise<readonly string[]> {
  const response = await api.fetchApi("/assistant/linked-files", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ names }),
  });
  if (!response.ok)
    throw new Error(`ComfyUI cannot tell where the workflow's files lie: it answered ${response.status}`);
  return reply.parse(await response.json()).outside;
}
