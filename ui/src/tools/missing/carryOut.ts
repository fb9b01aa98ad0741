/** What the person chose, being done: files first, then values, then packages, which end in a restart. */

import type { Comfy } from "../../comfy/bridge";
import type { ToolContext } from "../tool";
import { ToolError } from "../toolError";
import type { Ask, Offer, Registered } from "./ask";
import type { chooseInstead } from "./chooseInstead";
import { allowsPickle, fetchOffered } from "./fetchModels";
import type { Act, Line } from "./lines";
import type { Manager } from "./manager";
import { restartAndReload } from "./restart";

export interface Done {
  fetched: string[];
  replaced: string[];
  installed: string[];
  failed: string[];
  left: string[];
}

export interface Means {
  ask: Ask;
  comfy: Comfy;
  context: ToolContext;
  choose: typeof chooseInstead;
  manager: Manager | undefined;
  /** A download takes long: the person may have gone to another workflow. */
  isStillOpen(): boolean;
}

export async function carryOut(acts: readonly Act[], lines: readonly Line[], means: Means): Promise<Done> {
  const { ask, comfy, context, choose, manager, isStillOpen } = means;
  const done: Done = { fetched: [], replaced: [], installed: [], failed: [], left: [] };
  const fetches = new Map<Offer, string[]>();
  const installs: Registered[] = [];
  const values = new Map<string, string>();
  for (const [index, act] of acts.entries()) {
    if (act.kind === "install") installs.push(act.package);
    else if (act.kind === "replace") values.set(act.for, act.value);
    else if (act.kind === "fetch" && (!act.offer.isPickle || (await allowsPickle(context, act.offer))))
      fetches.set(act.offer, [...(fetches.get(act.offer) ?? []), act.for]);
    else done.left.push(lines[index]?.title ?? "");
  }

  for (const [offer, names] of fetches) {
    if (context.signal.aborted) break;
    try {
      await fetchOffered(ask, offer, context);
      done.fetched.push(`${offer.folder}/${offer.file}`);
      for (const name of names) values.set(name, offer.file);
    } catch (error) {
      done.failed.push(failureWords(offer.file, error));
    }
  }
  if (values.size > 0 && !context.signal.aborted) {
    if (isStillOpen()) done.replaced.push(...(await choose(comfy, values, context)));
    else
      done.failed.push(
        "Another workflow is open now: nothing was set in it. Call findMissing when the user is back.",
      );
  }

  if (installs.length > 0 && manager && !context.signal.aborted) {
    try {
      await manager.install(installs, context);
      done.installed.push(...installs.map(({ id, version }) => `${id} ${version}`));
      await restartAndReload(ask, manager, context);
    } catch (error) {
      done.failed.push(failureWords(installs.map(({ id }) => id).join(", "), error));
    }
  }
  return done;
}

function failureWords(what: string, error: unknown): string {
  if (error instanceof ToolError) return [`${what}:`, error.message, error.hint].filter(Boolean).join(" ");
  return `${what}: ${error instanceof Error ? error.message : String(error)}`;
}
