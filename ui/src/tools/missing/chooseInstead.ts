/** Other files in the place of those that were missing, wherever the workflow names them. */

import type { Comfy } from "../../comfy/bridge";
import { set } from "../edit/operations/set";
import { runBatch } from "../edit/runBatch";
import type { ToolContext } from "../tool";
import { decidingInput, installedIn, path } from "../validation/canvas";

/** What was set, as `4.ckpt_name = a.safetensors`. Values that stand there already are left alone. */
export async function chooseInstead(
  comfy: Comfy,
  values: ReadonlyMap<string, string>,
  context: ToolContext,
): Promise<string[]> {
  const { nodes } = await comfy.queue.prompt();
  await comfy.refreshChoices([...new Set(Object.values(nodes).map(({ class_type }) => class_type))]);
  const installed = installedIn(comfy);
  const settings = new Map<string, { node: string; widget: string; value: string }>();
  for (const [id, { inputs }] of Object.entries(nodes))
    for (const [name, held] of Object.entries(inputs)) {
      const value = typeof held === "string" ? values.get(held) : undefined;
      const input = value === undefined || value === held ? undefined : decidingInput(installed, id, name);
      if (!input || value === undefined) continue;
      const node = path(input.place, input.node.id);
      settings.set(`${node}.${input.name}`, { node, widget: input.name, value });
    }
  const wanted = [...settings.values()];
  if (wanted.length > 0)
    runBatch(
      comfy,
      wanted.map(({ node, widget, value }) => set.with({ nodes: [node], widgets: { [widget]: value } })),
      context,
    );
  return wanted.map(({ node, widget, value }) => `${node}.${widget} = ${value}`);
}
