import type { UiWorkflow } from "../../../graph/uiWorkflow";
import type { LiveGraph, Page, SerialisedGraph } from "../page";
import { rootGraph } from "../page";
import type { createReading } from "../reading/reading";
import { relink } from "./relink";

/** Runs `change`; when it throws, the workflow becomes byte for byte what it was. */
export function allOrNothing<Result>(
  page: Page,
  { read, forget }: Pick<ReturnType<typeof createReading>, "read" | "forget">,
  change: () => Result,
): Result {
  const before = JSON.stringify(read());
  forget();
  try {
    return change();
  } catch (error) {
    restore(page, before);
    throw error;
  } finally {
    forget();
  }
}

/** Loading a graph gives a cleared one an id and nodes without widgets a list of them, and counts their order anew. */
function restore(page: Page, text: string): void {
  const root = rootGraph(page);
  if (JSON.stringify(root.serialize()) === text) return;
  root.configure(JSON.parse(text));
  const saved: SerialisedGraph & { id: string } = JSON.parse(text);
  relink(page, saved as Partial<UiWorkflow>);
  root.id = saved.id;
  keepDetails(root, saved);
  for (const definition of saved.definitions?.subgraphs ?? []) {
    const subgraph = root.subgraphs?.get(definition.id);
    if (subgraph) keepDetails(subgraph, definition);
  }
}

function keepDetails(graph: LiveGraph, saved: SerialisedGraph): void {
  const nodes = new Map(saved.nodes.map((node) => [String(node.id), node]));
  for (const node of graph.nodes) {
    const was = nodes.get(String(node.id));
    node.order = was?.order ?? node.order;
    if (was && was.widgets_values === undefined && node.widgets?.length === 0) delete node.widgets;
  }
}
