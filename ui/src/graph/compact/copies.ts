/** Nodes that are written as copies of others, in a subgraph that is like one before it. */

import type { NodeId } from "../graph";
import { copied, madeWhole, type StandIn, standInsOf } from "./alike";
import type { LineReader } from "./words";
import type { CompactGraph, CompactNode, CompactSubgraph, CompactWorkflow } from "./workflow";

/** What was read of them: the key that a subgraph is like, and of a node its twin there. */
export interface Copies {
  likes: Map<CompactGraph, string>;
  twins: Map<CompactNode, { twin: NodeId; reader: LineReader }>;
}

/**
 * Puts whole nodes in their places; inputs and outputs, and groups, are those of the other where none are told. Throws
 * `CompactSyntaxError` where there is nothing to copy.
 */
export function makeCopies(workflow: CompactWorkflow, { likes, twins }: Copies): void {
  if (twins.size + likes.size === 0) return;
  const before = new Map<string, CompactSubgraph>();
  const copyNodes = (graph: CompactGraph, first: CompactSubgraph | undefined, standIn: StandIn) =>
    graph.nodes.map((node) => {
      const { twin: id, reader } = twins.get(node) ?? {};
      if (id === undefined || !reader) return node;
      if (!first)
        throw reader.error(
          `=${id} is a copy of node ${id} of another subgraph, whose block stands before; expected "like" and its key in the line that begins this block`,
        );
      const twin = first.nodes.find((each) => each.id === id);
      if (twin?.type !== node.type) throw reader.error(`${first.key} has no node ${id} ${node.type}`);
      return madeWhole({ node, twin }, standIn);
    });
  workflow.nodes = copyNodes(workflow, undefined, (id) => id);
  for (const subgraph of workflow.subgraphs) {
    const first = before.get(likes.get(subgraph) ?? "");
    const standIn = standInsOf(subgraph.nodes.map((node) => [twins.get(node)?.twin ?? "", node.id]));
    subgraph.nodes = copyNodes(subgraph, first, standIn);
    if (first) {
      const { inputs, outputs, groups } = copied(first, standIn);
      if (subgraph.inputs.length + subgraph.outputs.length === 0)
        Object.assign(subgraph, { inputs, outputs });
      if (subgraph.groups.length === 0) subgraph.groups = groups;
    }
    before.set(subgraph.key, subgraph);
  }
}
