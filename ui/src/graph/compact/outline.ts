/** A workflow in its fewest lines: ids, types, titles, groups and where each node's inputs come from. */

import {
  type CompactGraph,
  type CompactGroup,
  type CompactNode,
  type CompactWorkflow,
  instancePaths,
  noteTypes,
} from "./workflow";
import { groupLine, nodeHead, subgraphHead } from "./write";

/**
 * `3 KSampler "second pass" bypassed <4 6`. Nodes of a group follow its line, those of none come first; notes are left
 * out. A group within another has its nodes for itself, and one that all of them are taken from names them instead.
 */
export function outlineWorkflow(workflow: CompactWorkflow, { hasTitles = true } = {}): string {
  const paths = instancePaths(workflow);
  const lines = hasTitles ? outlineLines : bareLines;
  return [
    ...lines(workflow),
    ...workflow.subgraphs.flatMap((subgraph) => [
      subgraphHead(subgraph, paths.get(subgraph.key) ?? []),
      ...lines(subgraph),
      "end",
    ]),
  ].join("\n");
}

/** Without titles and groups. */
function bareLines(graph: CompactGraph): string[] {
  return graph.nodes
    .filter(({ type }) => !noteTypes.has(type))
    .map(({ title: _title, ...node }) => outlineLine(node));
}

/** The nodes that are in no group, of groups the ids alone, and of subgraphs how many nodes they hold. */
export function outlineGroups(workflow: CompactWorkflow): string {
  const paths = instancePaths(workflow);
  const grouped = new Set(workflow.groups.flatMap(({ nodes }) => nodes));
  const others = workflow.nodes.filter(({ id, type }) => !grouped.has(id) && !noteTypes.has(type));
  return [
    ...others.map(outlineLine),
    ...workflow.groups.map(groupLine),
    ...workflow.subgraphs.map(
      (subgraph) => `${subgraphHead(subgraph, paths.get(subgraph.key) ?? [])} ${subgraph.nodes.length} nodes`,
    ),
  ].join("\n");
}

function outlineLines(graph: CompactGraph): string[] {
  const groups = graph.groups.toSorted((one, other) => other.nodes.length - one.nodes.length);
  const groupOf = new Map(groups.flatMap((group) => group.nodes.map((id) => [id, group])));
  const linesIn = (group: CompactGroup | undefined) =>
    graph.nodes.filter(({ id, type }) => groupOf.get(id) === group && !noteTypes.has(type)).map(outlineLine);
  return [
    ...linesIn(undefined),
    ...graph.groups.flatMap((group) => {
      const members = linesIn(group);
      return members.length === 0 ? groupLine(group) : [groupLine({ ...group, nodes: [] }), ...members];
    }),
  ];
}

function outlineLine(node: CompactNode): string {
  const sources = [...new Set(node.links.map(({ source }) => source.node))];
  return sources.length === 0 ? nodeHead(node) : `${nodeHead(node)} <${sources.join(" ")}`;
}
