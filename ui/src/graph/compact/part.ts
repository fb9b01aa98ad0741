/** Part of a workflow: some nodes of one graph, and what is near them. */

import type { NodeId } from "../graph";
import type { CompactGraph, CompactWorkflow } from "./workflow";

/** The graph that the ids of subgraph nodes lead to, `[]` being the workflow's own; undefined where there is none. */
export function graphAt(workflow: CompactWorkflow, place: readonly NodeId[]): CompactGraph | undefined {
  return place.reduce<CompactGraph | undefined>((graph, id) => {
    const type = graph?.nodes.find((node) => node.id === id)?.type;
    return workflow.subgraphs.find(({ key }) => key === type);
  }, workflow);
}

/** The definition of the graph at a place; undefined for the workflow's own. */
export function definitionAt(workflow: CompactWorkflow, place: readonly NodeId[]): string | undefined {
  const graph = graphAt(workflow, place);
  return workflow.subgraphs.find((each) => each === graph)?.id;
}

/** The ids within so many links of these nodes, upstream and downstream, with how many links away they are. */
export function around({ nodes }: CompactGraph, ids: readonly NodeId[], depth: number): Map<NodeId, number> {
  const near = new Map(ids.map((id) => [id, 0]));
  for (let step = 0; step < depth; step++) {
    const before = new Set(near.keys());
    for (const { id, links } of nodes)
      for (const { source } of links)
        if (before.has(id) || before.has(source.node))
          for (const each of [id, source.node]) if (!near.has(each)) near.set(each, step + 1);
  }
  return near;
}

export function onlyNodes(graph: CompactGraph, ids: Pick<ReadonlySet<NodeId>, "has">): CompactGraph {
  return { nodes: graph.nodes.filter(({ id }) => ids.has(id)), groups: [] };
}
