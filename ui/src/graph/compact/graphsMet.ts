/** The graphs of a workflow by what they are, whatever they are called in one reading of it. */

import type { Place } from "../graph";
import {
  type CompactGraph,
  type CompactNode,
  type CompactSubgraph,
  type CompactWorkflow,
  instancePaths,
} from "./workflow";

export interface NodeType {
  /** Its class, or the definition of its subgraph. */
  id: string;
  /** Name of the subgraph that it stands for. */
  subgraph?: string;
}

export interface GraphMet {
  graph: CompactGraph;
  places: readonly [Place, ...Place[]];
  outputs: CompactSubgraph["outputs"];
  /** The definition that a node stands for. */
  subgraphOf(node: CompactNode): CompactSubgraph | undefined;
}

/** By the ids of their definitions, since a key such as `S1` counts anew in every reading. */
export function graphsMet(workflow: CompactWorkflow): Map<string | undefined, GraphMet> {
  const definitions = new Map(workflow.subgraphs.map((subgraph) => [subgraph.key, subgraph]));
  const subgraphOf = ({ type }: CompactNode) => definitions.get(type);
  const paths = instancePaths(workflow);
  const graphs = new Map<string | undefined, GraphMet>([
    [undefined, { graph: workflow, places: [[]], outputs: [], subgraphOf }],
  ]);
  for (const subgraph of workflow.subgraphs) {
    const [first, ...others] = (paths.get(subgraph.key) ?? []).map((path) => path.split(":"));
    if (first)
      graphs.set(definitionId(subgraph), {
        graph: subgraph,
        places: [first, ...others],
        outputs: subgraph.outputs,
        subgraphOf,
      });
  }
  return graphs;
}

function definitionId({ id, key }: CompactSubgraph): string {
  return id ?? key;
}

export function typeOf({ type }: CompactNode, subgraph: CompactSubgraph | undefined): NodeType {
  return subgraph ? { id: definitionId(subgraph), subgraph: subgraph.name } : { id: type };
}
