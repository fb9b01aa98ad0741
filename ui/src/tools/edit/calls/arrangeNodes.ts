import type { Comfy } from "../../../comfy/bridge";
import { arrange, type PartMove } from "../../../graph/arrange";
import type { Graph, GraphGroup, NodeId, Point } from "../../../graph/graph";
import { whereabouts } from "../../read/references";
import { ToolError, type ToolResult } from "../../tool";
import { Draft } from "../draft";

export async function arrangeNodes(
  { nodes: wanted }: { nodes?: readonly string[] | undefined },
  comfy: Comfy,
): Promise<ToolResult> {
  const draft = new Draft(comfy);
  const { graph, place } = draft.graphAt();
  const named = wanted && namedIn(draft, graph, wanted);
  if (named?.ids.length === 0)
    throw new ToolError("Nothing is selected.", "Name the nodes, or leave nodes out.");
  const ids = named?.ids ?? graph.nodes.map(({ id }) => id);
  const { positions, groups, moves } = arrange(graph, ids, named?.groups.length ? named.groups : undefined);
  if (ids.length === 0) throw new ToolError("The open graph is empty: there is nothing to arrange.");
  if (positions.size === 0)
    throw new ToolError(
      `No place near ${wordsOf(ids)} is free.`,
      "Arrange the whole workflow, or move others.",
    );
  comfy.edit((editor) => {
    const within = editor.within(place);
    for (const [id, position] of positions) within.moveNode(id, position);
    for (const [index, bounds] of groups) within.placeGroup(index, bounds);
  });
  await comfy.finished(() => {});
  comfy.bringIntoView([...positions.keys()], { always: true });
  const what = wanted ? wordsOf([...positions.keys()]) : `all ${positions.size} nodes`;
  return {
    ok: true,
    summary: `Arranged ${what}${whereabouts(comfy)}.${moves.map((move) => ` ${moveWords(move)}`).join("")}`,
    data: { moved: positions.size, groups: groups.size },
  };
}

/** Ids, and the groups that were named as such. */
function namedIn(
  draft: Draft,
  graph: Graph,
  wanted: readonly string[],
): { ids: NodeId[]; groups: GraphGroup[] } {
  const isSelection = (reference: string) => reference.trim().toLowerCase() === "selection";
  const located = draft.nodesOrGroups(wanted.filter((each) => !isSelection(each)));
  const stray = located.find(({ at }) => at.graph !== graph);
  if (stray)
    throw new ToolError(
      `${"node" in stray ? `Node ${draft.pathOf(stray)}` : `Group "${stray.group.title}"`} is not in the open graph.`,
      "Ask the user to open its subgraph.",
    );
  const groups = located.flatMap((each) => ("group" in each ? [each.group] : []));
  const empty = groups.find(({ nodes }) => nodes.length === 0);
  if (empty) throw new ToolError(`No node lies in the group "${empty.title}".`);
  const ids = [
    ...(wanted.some(isSelection) ? graph.selection : []),
    ...located.flatMap((each) => ("group" in each ? each.group.nodes : [each.node.id])),
  ];
  return { ids: [...new Set(ids)], groups };
}

function wordsOf(ids: readonly NodeId[]): string {
  return `${ids.length === 1 ? "node" : "nodes"} ${ids.join(", ")}`;
}

/** Where there was no room. */
function moveWords({ nodes, group, by }: PartMove): string {
  const what = group === undefined ? wordsOf(nodes) : `group ${JSON.stringify(group)}`;
  return by
    ? `No room there: moved ${what} ${distanceWords(by)}.`
    : `No room near them: left ${what} as before.`;
}

/** `120 px right and 400 px down`. */
function distanceWords({ x, y }: Point): string {
  const ways = [
    ...(x === 0 ? [] : [`${Math.abs(x)} px ${x < 0 ? "left" : "right"}`]),
    ...(y === 0 ? [] : [`${Math.abs(y)} px ${y < 0 ? "up" : "down"}`]),
  ];
  return ways.join(" and ");
}
