/** A reading with the links that no wire draws, so that nobody takes their inputs for open ones. */

import type { UnwiredLink } from "../unwired";
import { graphAt } from "./part";
import { sourceNamed } from "./read";
import type { CompactGraph, CompactLink, CompactNode, CompactWorkflow } from "./workflow";

/** In the lines of a subgraph stands what holds for the first of its nodes. */
export function withUnwired(workflow: CompactWorkflow, links: readonly UnwiredLink[]): CompactWorkflow {
  if (links.length === 0) return workflow;
  const fed = <Graph extends CompactGraph>(graph: Graph): Graph => {
    const own = links.filter(({ place }) => graphAt(workflow, place) === graph);
    return own.length === 0 ? graph : { ...graph, nodes: graph.nodes.map((node) => withLinks(node, own)) };
  };
  return { ...fed(workflow), subgraphs: workflow.subgraphs.map(fed) };
}

export function compactLink({ input, source, output, outputs, via }: UnwiredLink): CompactLink {
  return {
    input,
    source: sourceNamed(source, { names: outputs, isUnsure: false }, output, input),
    unwired: via === undefined ? {} : { via },
  };
}

function withLinks(node: CompactNode, all: readonly UnwiredLink[]): CompactNode {
  const links = [
    ...new Map(all.filter((each) => each.node === node.id).map((each) => [each.input, each])).values(),
  ];
  if (links.length === 0) return node;
  const { openInputs = [], ...remarks } = node.remarks ?? {};
  const open = openInputs.filter((name) => links.every(({ input }) => input !== name));
  return {
    ...node,
    links: [...node.links, ...links.map(compactLink)],
    remarks: { ...remarks, ...(open.length > 0 && { openInputs: open }) },
  };
}
