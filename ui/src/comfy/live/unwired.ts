import type { Place } from "../../graph/graph";
import { type PlacedGraph, type UnwiredLink, unwiredLinks } from "../../graph/unwired";
import type { Page } from "./page";
import { makePrompt, readPrompt } from "./prompt";
import { readGraph } from "./readGraph";

/** Nothing where no pack takes part in making the prompt, or where it cannot be made. */
export async function readUnwired(
  page: Page,
  isOutput: (type: string) => boolean,
): Promise<readonly UnwiredLink[]> {
  if (!page.app.ue_modified_prompt && !Object.hasOwn(page.app, "graphToPrompt")) return [];
  try {
    const { nodes } = readPrompt(await makePrompt(page));
    return unwiredLinks(graphsBelow(page, []), nodes, isOutput);
  } catch {
    return [];
  }
}

function graphsBelow(page: Page, place: Place): PlacedGraph[] {
  const graph = readGraph(page, place);
  const inner = graph.nodes.flatMap(({ id, subgraph }) =>
    subgraph ? graphsBelow(page, [...place, id]) : [],
  );
  return [{ place, graph }, ...inner];
}
