import { type Json, subgraphInput } from "../graph";
import type { CompactGraph, CompactSubgraph, CompactWorkflow } from "./workflow";

/**
 * What the first instance of each subgraph gives to its inputs. ComfyUI's frontends write such values inside, too,
 * and one of them falls back on that for subgraphs in subgraphs.
 */
export function valuesFromOutside(
  workflow: CompactWorkflow,
  definitions: ReadonlyMap<string, CompactSubgraph>,
): ReadonlyMap<string, ReadonlyMap<string, Json>> {
  const given = new Map<string, Map<string, Json>>();
  const visit = (graph: CompactGraph, outer: ReadonlyMap<string, Json> | undefined) => {
    for (const { type, links, values } of graph.nodes) {
      const definition = definitions.get(type);
      if (!definition || given.has(type)) continue;
      const here = new Map<string, Json>();
      for (const { input, source } of links) {
        const value = source.node === subgraphInput ? outer?.get(source.slot ?? input) : undefined;
        if (value !== undefined) here.set(input, value);
      }
      for (const { name, value } of values) here.set(name, value);
      given.set(type, here);
      visit(definition, here);
    }
  };
  visit(workflow, undefined);
  return given;
}
