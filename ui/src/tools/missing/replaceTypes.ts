/** Nodes whose types the server replaces, replaced wherever they lie. */

import type { Comfy } from "../../comfy/bridge";
import type { Place } from "../../graph/graph";
import { sentences } from "../../shared/sentences";
import { runBatch } from "../edit/batch";
import { replace } from "../edit/operations/replace";
import type { ToolContext } from "../tool";
import { ToolError } from "../toolError";
import { path } from "../validation/canvas";

export interface Retyped {
  /** As `17 T2IAdapterLoader with ControlNetLoader`. */
  done: string[];
  failed: string[];
}

export async function replaceTypes(
  comfy: Comfy,
  types: readonly string[],
  context: ToolContext,
): Promise<Retyped> {
  const result: Retyped = { done: [], failed: [] };
  await comfy.learnReplacements();
  for (const { node, type } of nodesOf(comfy, new Set(types))) {
    try {
      const by = replacing(comfy, type);
      await runBatch(comfy, [replace.with({ node, type: by })], context);
      result.done.push(`${node} ${type} with ${by}`);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      result.failed.push(sentences(`${node} ${type} was not replaced:`, error.message, error.hint));
    }
  }
  return result;
}

function replacing(comfy: Comfy, type: string): string {
  const by = comfy.replacementOf(type);
  if (by) return by.type;
  throw new ToolError(
    "ComfyUI's page does not know what takes its place.",
    "Reload the page, then try again.",
  );
}

/** Each by one path: a subgraph that stands in several places is one. */
function nodesOf(comfy: Comfy, types: ReadonlySet<string>): { node: string; type: string }[] {
  const found: { node: string; type: string }[] = [];
  const places: Place[] = [[]];
  const met = new Set<string>();
  for (const place of places)
    for (const { id, type, isInstalled, subgraph } of comfy.graph(place).nodes) {
      if (subgraph && !met.has(subgraph.id)) places.push([...place, id]);
      if (subgraph) met.add(subgraph.id);
      if (!isInstalled && types.has(type)) found.push({ node: path(place, id), type });
    }
  return found;
}
