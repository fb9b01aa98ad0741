/** Nodes that stay, and of which nothing is used any more. */

import type { NodeChange } from "./changes";
import { graphsMet, typeOf } from "./graphsMet";
import type { CompactNode, CompactWorkflow } from "./workflow";

export type Orphan = Pick<NodeChange, "graph" | "places" | "node" | "type">;

export function orphansBetween(before: CompactWorkflow, after: CompactWorkflow): Orphan[] {
  const earlier = graphsMet(before);
  return [...graphsMet(after)].flatMap(([id, { graph, places, subgraphOf }]) => {
    const used = new Set(
      earlier
        .get(id)
        ?.graph.nodes.filter(isUsed)
        .map((node) => node.id),
    );
    return graph.nodes
      .filter((node) => node.mode === "active" && used.has(node.id) && !isUsed(node))
      .map((node) => ({ graph: id, places, node: node.id, type: typeOf(node, subgraphOf(node)) }));
  });
}

function isUsed({ remarks }: CompactNode): boolean {
  return remarks?.unusedOutputs === undefined;
}
