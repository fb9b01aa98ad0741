/** Other files in the place of those that were missing, wherever the workflow names them. */

import type { Comfy } from "../../comfy/bridge";
import { set } from "../edit/operations/set";
import { runBatch } from "../edit/runBatch";
import type { ToolContext } from "../tool";
import { ToolError } from "../toolError";
import { decidingInput, installedIn, path } from "../validation/canvas";

interface Setting {
  node: string;
  widget: string;
  value: string;
}

export interface Chosen {
  /** As `4.ckpt_name = a.safetensors`. */
  set: string[];
  /** What was not set, and why. */
  refused: string[];
}

/** Values that stand there already are left alone. */
export async function chooseInstead(
  comfy: Comfy,
  values: ReadonlyMap<string, string>,
  context: ToolContext,
): Promise<Chosen> {
  const { nodes } = await comfy.queue.prompt();
  await comfy.refreshChoices([...new Set(Object.values(nodes).map(({ class_type }) => class_type))]);
  const installed = installedIn(comfy);
  const settings = new Map<string, Setting>();
  for (const [id, { inputs }] of Object.entries(nodes))
    for (const [name, held] of Object.entries(inputs)) {
      const value = typeof held === "string" ? values.get(held) : undefined;
      const input = value === undefined || value === held ? undefined : decidingInput(installed, id, name);
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

/** Undefined where it was done. */
async function refusalOf(work: Promise<void>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) return [error.message, error.hint].filter(Boolean).join(" ");
    throw error;
  }
}

function words({ node, widget, value }: Setting): string {
  return `${node}.${widget} = ${value}`;
}
