/** A workflow in its fewest lines: ids, types, titles and where each node's inputs come from. */

import {
  type CompactGraph,
  type CompactNode,
  type CompactWorkflow,
  instancePaths,
  noteTypes,
} from "./workflow";
import { groupLine, nodeHead, subgraphHead } from "./write";

/** `3 KSampler "second pass" bypassed <4 <6`; notes are left out, groups without titles' nodes too. */
export function outlineWorkflow(workflow: CompactWorkflow): string {
  const paths = instancePaths(workflow);
  return [
    ...outlineLines(workflow),
    ...workflow.subgraphs.flatMap((subgraph) => [
      subgraphHead(subgraph, paths.get(subgraph.key) ?? []),
      ...outlineLines(subgraph),
      "end",
    ]),
  ].join("\n");
}

function outlineLines(graph: CompactGraph): string[] {
  return [
    ...graph.nodes.filter(({ type }) => !noteTypes.has(type)).map(outlineLine),
    ...graph.groups.map(groupLine),
  ];
}

function outlineLine(node: CompactNode): string {
  const sources = [...new Set(node.links.map(({ source }) => source.node))];
  return sources.length === 0 ? nodeHead(node) : `${nodeHead(node)} <${sources.join(" ")}`;
}
