import type { Comfy } from "../../../comfy/bridge";
import { arrange, type PartMove } from "../../../graph/arrange";
import type { GraphGroup, NodeId, Point } from "../../../graph/graph";
import { nodePath } from "../../../graph/nodePath";
import { whereabouts } from "../../read/references";
import { ToolError, type ToolResult } from "../../tool";
import { Draft } from "../draft";
import type { DraftGraph } from "../draftGraphs";

export async function arrangeNodes(
  { nodes: wanted }: { nodes?: readonly string[] | undefined },
  comfy: Comfy,
): Promise<ToolResult> {
  const draft = new Draft(comfy);
  const named = wanted && namedIn(draft, wanted);
  if (named?.ids.length === 0)
    throw new ToolError("Nothing is selected.", "Name the nodes, or leave nodes out.");
  const { graph, place } = named?.at ?? draft.graphAt();
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
  const paths = [...positions.keys()].map((id) => nodePath(place, id, comfy.openPlace()));
  if (place.join() === comfy.openPlace().join()) comfy.bringIntoView([...positions.keys()], { always: true });
  const what = wanted ? wordsOf(paths) : `all ${positions.size} nodes`;
  return {
    ok: true,
    summary: `Arranged ${what}${whereabouts(comfy, place)}.${moves.map((move) => ` ${moveWords(move)}`).join("")}`,
    data: { moved: positions.size, groups: groups.size },
  };
}

interface Named {
  at: DraftGraph;
  ids: NodeId[];
  /** Those that were named as such. */
  groups: GraphGroup[];
}

function namedIn(draft: Draft, wanted: readonly string[]): Named {
  const isSelection = (reference: string) => reference.trim().toLowerCase() === "selection";
  const located = draft.nodesOrGroups(wanted.filter((each) => !isSelection(each)));
  const selection = wanted.some(isSelection) ? draft.graphAt() : undefined;
  const [at = draft.graphAt(), ...others] = new Set([
    ...(selection ? [selection] : []),
    ...located.map((each) => each.at),
  ]);
  if (others.length > 0)
    throw new ToolError("These nodes lie in different graphs.", "Arrange those of one graph at a time.");
  const groups = located.flatMap((each) => ("group" in each ? [each.group] : []));
  const empty = groups.find(({ nodes }) => nodes.length === 0);
  if (empty) throw new ToolError(`No node lies in the group "${empty.title}".`);
  const ids = [
    ...(selection?.graph.selection ?? []),
    ...located.flatMap((each) => ("group" in each ? each.group.nodes : [each.node.id])),
  ];
  return { at, ids: [...new Set(ids)], groups };
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
