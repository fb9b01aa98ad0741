/** Which node types the server replaces with which others; only newer servers list them. */

import { z } from "zod";
import type { Json } from "../../../graph/graph";
import type { TypeReplacement } from "../../bridge";
import type { Page } from "../page";

const inputSchema = z.union([
  z.object({ new_id: z.string(), old_id: z.string() }),
  z.object({ new_id: z.string(), set_value: z.json() }),
]);

const entrySchema = z.object({
  new_node_id: z.string(),
  old_widget_ids: z.array(z.string()).nullish(),
  input_mapping: z.array(inputSchema).nullish(),
  output_mapping: z.array(z.object({ new_idx: z.number(), old_idx: z.number() })).nullish(),
});

/** A package may list what it likes: an entry that cannot be read is passed over. */
const listSchema = z.record(z.string(), z.array(entrySchema.optional().catch(undefined)).catch([]));

export interface Replacements {
  learn(): Promise<void>;
  of(type: string): TypeReplacement | undefined;
}

export function createReplacements({ api }: Page, isInstalled: (type: string) => boolean): Replacements {
  let listed: Map<string, TypeReplacement[]> | undefined;
  return {
    async learn() {
      // Asking a server without the route would put an error into the console.
      if (listed || !api.serverSupportsFeature?.("node_replacements")) return;
      const response = await api.fetchApi("/node_replacements").catch(() => undefined);
      if (response?.ok) listed = readReplacements(await response.json().catch(() => undefined));
    },
    of: (type) => listed?.get(type)?.find((each) => each.type !== type && isInstalled(each.type)),
  };
}

export function readReplacements(list: unknown): Map<string, TypeReplacement[]> {
  const entries = Object.entries(listSchema.safeParse(list).data ?? {});
  return new Map(
    entries.map(([type, all]) => [type, all.flatMap((each) => (each ? [replacement(each)] : []))]),
  );
}

function replacement(entry: z.infer<typeof entrySchema>): TypeReplacement {
  const { new_node_id: type, old_widget_ids: widgets, input_mapping, output_mapping } = entry;
  const inputs = input_mapping ?? [];
  return {
    type,
    ...(widgets && { widgets }),
    names: new Map(inputs.flatMap((each) => ("old_id" in each ? [[each.old_id, each.new_id]] : []))),
    values: inputs.flatMap((each): [string, Json][] =>
      "set_value" in each ? [[each.new_id, each.set_value]] : [],
    ),
    outputs: new Map((output_mapping ?? []).map(({ old_idx, new_idx }) => [old_idx, new_idx])),
  };
}
