/** The order in which a workflow is read: what feeds a node comes before it. */

import type { CompactGraph, CompactWorkflow } from "./workflow";

export function workflowInOrder(workflow: CompactWorkflow): CompactWorkflow {
  return { ...graphInOrder(workflow), subgraphs: workflow.subgraphs.map(graphInOrder) };
}

function graphInOrder<Graph extends CompactGraph>(graph: Graph): Graph {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const sourcesOf = (node: (typeof graph.nodes)[number]) =>
    node.links.flatMap(({ source }) => nodes.get(source.node) ?? []);
  return { ...graph, nodes: inOrderOfFlow(graph.nodes, sourcesOf) };
}

/** Keeps the given order where links leave it open. Nodes of a circle stand as they are met. */
export function inOrderOfFlow<Node>(
  nodes: readonly Node[],
  sourcesOf: (node: Node) => readonly Node[],
): Node[] {
  const met = new Set<Node>();
  const ordered = new Set<Node>();
  for (const start of nodes) {
    const open = [start];
    for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
      const sources = met.has(node) ? [] : sourcesOf(node).filter((source) => !met.has(source));
      met.add(node);
      if (sources.length > 0) open.push(...sources.toReversed());
      else {
        ordered.add(node);
        open.pop();
      }
    }
  }
  return [...ordered];
}
