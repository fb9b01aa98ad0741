import type { Place } from "../../../graph/graph";
import { type PlacedGraph, type Unwired, unwiredLinks } from "../../../graph/unwired";
import type { Page } from "../page";
import { makePrompt, readPrompt } from "../running/prompt";
import { readGraph } from "./readGraph";

/** Nothing where no pack takes part in making the prompt, or where it cannot be made. */
export async function readUnwired(page: Page, isOutput: (type: string) => boolean): Promise<Unwired> {
  if (!page.app.ue_modified_prompt && !Object.hasOwn(page.app, "graphToPrompt")) return { links: [] };
  try {
    const { nodes: prompt, packFailure } = readPrompt(await makePrompt(page));
    if (packFailure !== undefined) return { links: [] };
    return { links: unwiredLinks(graphsBelow(page, []), prompt, isOutput), prompt };
  } catch {
    return { links: [] };
  }
}

function graphsBelow(page: Page, place: Place): PlacedGraph[] {
  const graph = readGraph(page, place);
  const inner = graph.nodes.flatMap(({ id, subgraph }) =>
    subgraph ? graphsBelow(page, [...place, id]) : [],
  );
  return [{ place, graph }, ...inner];
}
