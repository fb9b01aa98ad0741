/** Other files in the place of those that were missing, wherever the workflow names them. */

import { z } from "zod";
import type { Comfy } from "../../comfy/bridge";
import { MOST_PLACES } from "../../graph/compact/workflow";
import type { Json, NodeId, Place } from "../../graph/graph";
import type { PromptNode, PromptNodes } from "../../graph/prompt";
import { sentences } from "../../shared/sentences";
import { runBatch } from "../edit/batch";
import { set } from "../edit/operations/set";
import type { ToolContext } from "../tool";
import { ToolError } from "../toolError";
import { decidingInput, type Installed, installedIn, path } from "../validation/canvas";
import type { Held } from "./lines";

/** Of a widget by the node's path. */
export const setting = z.object({ node: z.string(), widget: z.string(), value: z.json() });
export type Setting = z.output<typeof setting>;

export interface Chosen {
  /** As `4.ckpt_name = a.safetensors`. */
  set: string[];
  /** What was not set, and why. */
  refused: string[];
}

/** Also of nodes that do not run now. Values that stand there already are left alone; `more` is set as it is. */
export async function chooseInstead(
  comfy: Comfy,
  values: ReadonlyMap<Held, string>,
  context: ToolContext,
  more: readonly Setting[] = [],
): Promise<Chosen> {
  const { nodes: running } = await comfy.queue.prompt();
  const installed = installedIn(comfy);
  const nodes = { ...idleNodes(installed), ...running };
  await comfy.refreshChoices([...new Set(Object.values(nodes).map(({ class_type }) => class_type))]);
  const settings = new Map(more.map((each) => [`${each.node}.${each.widget}`, each]));
  for (const [id, { class_type, inputs }] of Object.entries(nodes))
    for (const [name, held] of Object.entries(inputs)) {
      const value = otherValue(held, (one) => valueFor(values, one, class_type));
      const input = value === undefined ? undefined : decidingInput(installed, id, name);
      if (!input || value === undefined) continue;
      const node = path(input.place, input.node.id);
      settings.set(`${node}.${input.name}`, { node, widget: input.name, value });
    }
  const chosen: Chosen = { set: [], refused: [] };
  const put = async (batch: readonly Setting[]) => {
    await runBatch(
      comfy,
      batch.map(({ node, widget, value }) => set.with({ nodes: [node], widgets: { [widget]: value } })),
      context,
    );
    chosen.set.push(...batch.map(words));
  };
  const wanted = [...settings.values()];
  if (wanted.length > 1 && (await refusalOf(put(wanted))) === undefined) return chosen;
  // One that is refused kept all from being set.
  for (const each of wanted) {
    const refusal = await refusalOf(put([each]));
    if (refusal !== undefined) chosen.refused.push(`${words(each)} was not set: ${refusal}`);
  }
  return chosen;
}

/** Muted and bypassed nodes, which would lack the file once they are switched on, as a prompt tells nodes. */
function idleNodes({ graphAt }: Installed): PromptNodes {
  const found: Record<NodeId, PromptNode> = {};
  const places: Place[] = [[]];
  for (const place of places)
    for (const { id, type, mode, subgraph, widgets } of graphAt(place)?.nodes ?? []) {
      if (subgraph && places.length < MOST_PLACES) places.push([...place, id]);
      if (subgraph || mode === "active") continue;
      const inputs = Object.fromEntries(widgets.map(({ name, value }) => [name, value ?? null]));
      found[path(place, id)] = { class_type: type, inputs };
    }
  return found;
}

function valueFor(values: ReadonlyMap<Held, string>, held: string, type: string): string | undefined {
  const isMeant = ({ name, types }: Held) => name === held && (types.length === 0 || types.includes(type));
  const value = [...values].find(([each]) => isMeant(each))?.[1];
  return value === held ? undefined : value;
}

/** Some packs keep several values in one: what is said of it then is the part that changes. */
function otherValue(held: unknown, valueFor: (held: string) => string | undefined): Json | undefined {
  if (typeof held === "string") return valueFor(held);
  if (typeof held !== "object" || held === null || Array.isArray(held)) return undefined;
  const parts = Object.entries(held).flatMap(([key, part]) => {
    const value = typeof part === "string" ? valueFor(part) : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

/** Undefined where it was done. */
async function refusalOf(work: Promise<void>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) return sentences(error.message, error.hint);
    throw error;
  }
}

function words({ node, widget, value }: Setting): string {
  return `${node}.${widget} = ${typeof value === "string" ? value : JSON.stringify(value)}`;
}
