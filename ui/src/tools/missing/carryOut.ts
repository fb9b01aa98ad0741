/** What the person chose, being done: files first, then values, then packages, which end in a restart. */

import { z } from "zod";
import type { Comfy } from "../../comfy/bridge";
import { reasonOf } from "../../shared/reasonOf";
import { sentences } from "../../shared/sentences";
import { trustPackages } from "../run/newPackages";
import type { ToolContext } from "../tool";
import { ToolError } from "../toolError";
import { type Ask, type Offer, type Registered, registered } from "./ask";
import { chooseInstead, setting } from "./chooseInstead";
import { allowsPickle, arrivals, begin, begun } from "./fetchModels";
import { type Act, byHand, type Held, held, isWithoutChoice, type Line } from "./lines";
import type { Manager } from "./manager";
import { adviceOnAll } from "./refusals";
import { replaceTypes } from "./replaceTypes";
import { restartAndReload } from "./restart";

const words = z.array(z.string());
export const done = z.object({
  fetched: words,
  replaced: words,
  /** Nodes that have another type now, as `17 T2IAdapterLoader with ControlNetLoader`. */
  retyped: words.default([]),
  installed: words,
  failed: words,
  left: words,
  /** What nothing here could be done about, with what the person may do. */
  unavailable: words.default([]),
  byHand: z.array(byHand).default([]),
  /** Where something was installed: what the person has to do before it is here. */
  toDo: z.string().optional(),
});
export type Done = z.output<typeof done>;

/** For the same call after a restart: what was done, and all that was missing, which the person has decided on. */
export const settled = z.object({ done, lack: words });

/** What was said yes to and is not done yet; as JSON, for the same call in a page that was loaded anew. */
export const underWay = z.object({
  downloads: z.array(begun.extend({ for: z.array(held) })),
  values: z.array(z.tuple([held, z.string()])),
  settings: z.array(setting),
  /** Whose nodes get the types that the server has in their place. */
  types: words.default([]),
  installs: z.array(registered),
  done,
  lack: words,
  /** The name of the workflow that lacks it. */
  workflow: z.string(),
});
export type UnderWay = z.output<typeof underWay>;

export interface Means {
  ask: Ask;
  comfy: Comfy;
  context: ToolContext;
  manager: Manager | undefined;
  /** A download takes long: the person may have gone to another workflow. */
  isStillOpen(): boolean;
}

/** Begins the downloads. `lack` is all that is missing. */
export async function beginAll(
  acts: readonly Act[],
  lines: readonly Line[],
  { ask, comfy, context }: Means,
  lack: readonly string[],
): Promise<UnderWay> {
  const done: Done = {
    fetched: [],
    replaced: [],
    retyped: [],
    installed: [],
    failed: [],
    left: [],
    unavailable: [],
    byHand: [],
  };
  const fetches = new Map<Offer, Held[]>();
  const installs: Registered[] = [];
  const values: UnderWay["values"] = [];
  const settings: UnderWay["settings"] = [];
  const types: string[] = [];
  const skipped: Line[] = [];
  for (const [index, act] of acts.entries()) {
    if (act.kind === "install") {
      if (!installs.some(({ id }) => id === act.package.id)) installs.push(act.package);
    } else if (act.kind === "replace") values.push([act.for, act.value]);
    else if (act.kind === "set") settings.push(...act.settings);
    else if (act.kind === "replaceType") types.push(act.type);
    else if (act.kind === "fetch" && (!act.offer.isPickle || (await allowsPickle(context, act.offer))))
      fetches.set(act.offer, [...(fetches.get(act.offer) ?? []), act.for]);
    else skipped.push(...lines.slice(index, index + 1));
  }
  noteLeft(done, skipped);
  const downloads: UnderWay["downloads"] = [];
  for (const [offer, wanted] of fetches) {
    if (context.signal.aborted) break;
    try {
      downloads.push({ ...(await begin(ask, offer)), for: wanted });
    } catch (error) {
      done.failed.push(failureWords(offer.file, error));
    }
  }
  return {
    downloads,
    values,
    settings,
    types,
    installs,
    done,
    lack: [...lack],
    workflow: comfy.workflow().name,
  };
}

function noteLeft({ left, unavailable, byHand }: Done, lines: readonly Line[]): void {
  byHand.push(...lines.flatMap((line) => line.byHand ?? []));
  left.push(...lines.flatMap((line) => (isWithoutChoice(line) ? [] : line.title)));
  unavailable.push(...adviceOnAll(lines.filter(isWithoutChoice)));
}

/** Each step is noted for the page that may come. */
export async function carryOut(plan: UnderWay, means: Means): Promise<Done> {
  const { ask, comfy, context, manager, isStillOpen } = means;
  const soFar = structuredClone(plan.done);
  const values = [...plan.values];
  const note = (rest: Partial<UnderWay>) => context.outlive?.({ ...plan, values, done: soFar, ...rest });
  note({});
  let open = plan.downloads;
  for await (const { begun, failure } of arrivals(ask, plan.downloads, context)) {
    const { id, file, folder } = begun;
    if (failure) soFar.failed.push(failureWords(file, failure));
    else {
      soFar.fetched.push(`${folder}/${file}`);
      for (const each of begun.for) values.push([each, file]);
    }
    open = open.filter((each) => each.id !== id);
    note({ downloads: open });
  }
  if (values.length + plan.settings.length + plan.types.length > 0 && !context.signal.aborted) {
    if (isStillOpen()) {
      const retyped = await replaceTypes(comfy, plan.types, context);
      soFar.retyped.push(...retyped.done);
      soFar.failed.push(...retyped.failed);
      const chosen = await chooseInstead(comfy, new Map(values), context, plan.settings);
      soFar.replaced.push(...chosen.set);
      soFar.failed.push(...chosen.refused);
    } else
      soFar.failed.push(
        "Another workflow is open now: nothing was set in it. Call findMissing when the user is back.",
      );
  }

  const { installs, lack } = plan;
  if (installs.length > 0 && manager && !context.signal.aborted) {
    note({ downloads: [], values: [], settings: [], types: [] });
    try {
      await manager.install(installs, context);
      // Their code runs here from now on: that was said yes to.
      await trustPackages(
        ask,
        installs.map(({ id }) => id),
      );
      soFar.installed.push(...installs.map(({ id, version }) => `${id} ${version}`));
      const after = { done: { ...soFar }, lack };
      soFar.toDo = "restart ComfyUI and reload the page";
      soFar.toDo = await restartAndReload(means, manager, after);
    } catch (error) {
      soFar.failed.push(failureWords(installs.map(({ id }) => id).join(", "), error));
    }
  }
  context.outlive?.(undefined);
  return soFar;
}

function failureWords(what: string, error: unknown): string {
  if (error instanceof ToolError) return sentences(`${what}:`, error.message, error.hint);
  return `${what}: ${reasonOf(error)}`;
}
