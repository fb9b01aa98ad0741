/** How many nodes a run would have. Subgraphs that hold each other can make any number of them out of a small file. */

import type { LiveGraph } from "../page";

const MOST_NODES = 20_000;

/** Throws where the page would be at it for ever. */
export function checkRunSize(root: LiveGraph): void {
  const count = nodesRun(root);
  if (count > MOST_NODES)
    throw new Error(
      `The subgraphs of this workflow hold each other so often that ${count.toLocaleString("en")} nodes would run; at most ${MOST_NODES.toLocaleString("en")} are looked at. Take some of its subgraphs out.`,
    );
}

/** Those inside of a subgraph as often as it is used. */
function nodesRun(root: LiveGraph): number {
  const counts = new Map<LiveGraph, number>();
  const count = (graph: LiveGraph): number => {
    const known = counts.get(graph);
    if (known !== undefined) return known;
    counts.set(graph, 0);
    const all = graph.nodes.reduce((sum, { subgraph }) => sum + 1 + (subgraph ? count(subgraph) : 0), 0);
    counts.set(graph, all);
    return all;
  };
  return count(root);
}
