/** What the person chose, being done: files first, then values, then packages, which end in a restart. */

import { z } from "zod";
import type { Comfy } from "../../comfy/bridge";
import type { ToolContext } from "../tool";
import { ToolError } from "../toolError";
import type { Ask, Offer, Registered } from "./ask";
import { chooseInstead } from "./chooseInstead";
import { allowsPickle, arrivals, type Begun, begin } from "./fetchModels";
import type { Act, Held, Line } from "./lines";
import type { Manager } from "./manager";
import { restartAndReload } from "./restart";

const words = z.array(z.string());
export const done = z.object({
  fetched: words,
  replaced: words,
  installed: words,
  failed: words,
  left: words,
  /** Where something was installed: what the person has to do before it is here. */
  toDo: z.string().optional(),
});
export type Done = z.output<typeof done>;

/** For the same call after a restart: what was done, and all that was missing, which the person has decided on. */
export const settled = z.object({ done, lack: words });

export interface Means {
  ask: Ask;
  comfy: Comfy;
  context: ToolContext;
  manager: Manager | undefined;
  /** Of all that is missing. */
  lack: readonly string[];
  /** A download takes long: the person may have gone to another workflow. */
  isStillOpen(): boolean;
}

export async function carryOut(acts: readonly Act[], lines: readonly Line[], means: Means): Promise<Done> {
  const { ask, comfy, context, manager, lack, isStillOpen } = means;
  const soFar: Done = { fetched: [], replaced: [], installed: [], failed: [], left: [] };
  const fetches = new Map<Offer, Held[]>();
  const installs: Registered[] = [];
  const values = new Map<Held, string>();
  for (const [index, act] of acts.entries()) {
    if (act.kind === "install") {
      if (!installs.some(({ id }) => id === act.package.id)) installs.push(act.package);
    } else if (act.kind === "replace") values.set(act.for, act.value);
    else if (act.kind === "fetch" && (!act.offer.isPickle || (await allowsPickle(context, act.offer))))
      fetches.set(act.offer, [...(fetches.get(act.offer) ?? []), act.for]);
    else soFar.left.push(lines[index]?.title ?? "");
  }

  const downloads: (Begun & { for: Held[] })[] = [];
  for (const [offer, held] of fetches) {
    if (context.signal.aborted) break;
    try {
      downloads.push({ ...(await begin(ask, offer)), for: held });
    } catch (error) {
      soFar.failed.push(failureWords(offer.file, error));
    }
  }
  for await (const { begun, failure } of arrivals(ask, downloads, context)) {
    const { file, folder } = begun;
    if (failure) soFar.failed.push(failureWords(file, failure));
    else {
      soFar.fetched.push(`${folder}/${file}`);
      for (const each of begun.for) values.set(each, file);
    }
  }
  if (values.size > 0 && !context.signal.aborted) {
    if (isStillOpen()) {
      const chosen = await chooseInstead(comfy, values, context);
      soFar.replaced.push(...chosen.set);
      soFar.failed.push(...chosen.refused);
    } else
      soFar.failed.push(
        "Another workflow is open now: nothing was set in it. Call findMissing when the user is back.",
      );
  }

  if (installs.length > 0 && manager && !context.signal.aborted) {
    try {
      await manager.install(installs, context);
      soFar.installed.push(...installs.map(({ id, version }) => `${id} ${version}`));
      const note = { done: { ...soFar }, lack };
      soFar.toDo = "restart ComfyUI and reload the page";
      soFar.toDo = await restartAndReload(means, manager, note);
    } catch (error) {
      soFar.failed.push(failureWords(installs.map(({ id }) => id).join(", "), error));
    }
  }
  return soFar;
}

function failureWords(what: string, error: unknown): string {
  if (error instanceof ToolError) return [`${what}:`, error.message, error.hint].filter(Boolean).join(" ");
  return `${what}: ${error instanceof Error ? error.message : String(error)}`;
}
