/** A workflow in its fewest lines: ids, types, titles, groups and where each node's inputs come from. */

import { alikeSubgraphs } from "./alike";
import {
  type CompactGraph,
  type CompactGroup,
  type CompactNode,
  type CompactWorkflow,
  instancePaths,
  noteTypes,
} from "./workflow";
import { groupLine, groupsInOrder, nodeHead, subgraphHead, subgraphLines, twinWord } from "./write";

type LineOf = (node: CompactNode) => string;

interface Outline {
  hasTitles?: boolean;
  hasGroups?: boolean;
  tellsAlike?: boolean;
}

/**
 * `3 KSampler "second pass" bypassed <4 6`. Nodes of a group follow its line, those of none come first; notes are left
 * out. A group within another has its nodes for itself, and one that all of them are taken from names them instead.
 */
export function outlineWorkflow(
  workflow: CompactWorkflow,
  { hasTitles = true, hasGroups = true, tellsAlike = false }: Outline = {},
): string {
  const told = onlyTold(workflow, hasTitles);
  const lines = hasGroups ? outlineLines : bareLines;
  return [
    ...lines(told, (node) => outlineLine(node)),
    ...subgraphLines(told, tellsAlike ? alikeSubgraphs(told) : undefined, (subgraph, alike) =>
      (alike?.hasSameGroups ? bareLines : lines)(subgraph, (node) => {
        const difference = alike?.differences.get(node.id);
        if (!difference) return outlineLine(node);
        const links = difference.node.links.length === 0 ? [] : node.links;
        return outlineLine({ ...difference.node, links }, twinWord(node.type, difference.twin));
      }),
    ),
  ].join("\n");
}

/** What there is of what an outline may leave out. */
export function asidesOf(workflow: CompactWorkflow) {
  const graphs: CompactGraph[] = [workflow, ...workflow.subgraphs];
  const nodes = graphs.flatMap((graph) => graph.nodes);
  const isNote = ({ type }: CompactNode) => noteTypes.has(type);
  return {
    titles: nodes.some((node) => node.title !== undefined && !isNote(node)),
    groups: graphs.some(({ groups }) => groups.length > 0),
    notes: nodes.some(isNote),
  };
}

/** Of nodes what an outline tells; without their titles also groups without their boxes. */
function onlyTold(workflow: CompactWorkflow, hasTitles: boolean): CompactWorkflow {
  const bare = <Graph extends CompactGraph>(graph: Graph): Graph => ({
    ...graph,
    nodes: graph.nodes.map(({ id, type, title, mode, links, remarks }) => ({
      ...{ id, type, mode, links, values: [], shown: [] },
      ...(hasTitles && title !== undefined && { title }),
      ...(remarks?.isUninstalled && { remarks: { isUninstalled: true } }),
    })),
    ...(!hasTitles && { groups: groupsInOrder(graph.groups).map(({ title, nodes }) => ({ title, nodes })) }),
  });
  return { ...bare(workflow), subgraphs: workflow.subgraphs.map(bare) };
}

/** Without groups. */
function bareLines(graph: CompactGraph, lineOf: LineOf): string[] {
  return graph.nodes.filter(({ type }) => !noteTypes.has(type)).map(lineOf);
}

/** The nodes that are in no group, of groups the ids alone, and of subgraphs how many nodes they hold. */
export function outlineGroups(workflow: CompactWorkflow): string {
  const paths = instancePaths(workflow);
  const grouped = new Set(workflow.groups.flatMap(({ nodes }) => nodes));
  const others = workflow.nodes.filter(({ id, type }) => !grouped.has(id) && !noteTypes.has(type));
  return [
    ...others.map((node) => outlineLine(node)),
    ...groupsInOrder(workflow.groups).map(groupLine),
    ...workflow.subgraphs.map(
      (subgraph) => `${subgraphHead(subgraph, paths.get(subgraph.key) ?? [])} ${subgraph.nodes.length} nodes`,
    ),
  ].join("\n");
}

function outlineLines(graph: CompactGraph, lineOf: LineOf): string[] {
  const groups = graph.groups.toSorted((one, other) => other.nodes.length - one.nodes.length);
  const groupOf = new Map(groups.flatMap((group) => group.nodes.map((id) => [id, group])));
  const linesIn = (group: CompactGroup | undefined) =>
    graph.nodes.filter(({ id, type }) => groupOf.get(id) === group && !noteTypes.has(type)).map(lineOf);
  return [
    ...linesIn(undefined),
    ...groupsInOrder(graph.groups).flatMap((group) => {
      const members = linesIn(group);
      return members.length === 0 ? groupLine(group) : [groupLine({ ...group, nodes: [] }), ...members];
    }),
  ];
}

function outlineLine(node: CompactNode, typeWord?: string): string {
  const sources = [...new Set(node.links.map(({ source }) => source.node))];
  const head = nodeHead(node, typeWord);
  return sources.length === 0 ? head : `${head} <${sources.join(" ")}`;
}
