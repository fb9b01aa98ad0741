import type { Comfy } from "../../../comfy/bridge";
import { type ArrangedPart, arrange } from "../../../graph/arrange";
import { distanceWords } from "../../../graph/distanceWords";
import { findNode, type GraphGroup, type NodeId, type Rectangle, type Size } from "../../../graph/graph";
import { nodePath } from "../../../graph/nodePath";
import type { Oddities } from "../../../graph/oddities";
import { contains } from "../../../graph/placement";
import { whereabouts } from "../../read/references";
import { ToolError, type ToolResult } from "../../tool";
import { Draft } from "../draft";
import type { DraftGraph } from "../draftGraphs";

/** Of its width or height, what a part may grow without a word. */
const mostUntold = 0.1;
/** So many pairs of nodes that lie on one another are named. */
const mostPairs = 3;

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
  if (ids.length === 0) throw new ToolError("The open graph is empty: there is nothing to arrange.");
  const { positions, groups, parts } = arrange(graph, ids, {
    groups: named?.groups.length ? named.groups : undefined,
    all: "screen",
  });
  const moved = [...positions].filter(([id, { x, y }]) => {
    const before = findNode(graph, id)?.position;
    return before?.x !== x || before.y !== y;
  });
  const framed = [...groups].filter(([index, box]) => !isSameBox(graph.groups[index]?.bounds, box));
  comfy.edit((editor) => {
    const within = editor.within(place);
    for (const [id, position] of moved) within.moveNode(id, position);
    for (const [index, bounds] of framed) within.placeGroup(index, bounds);
  });
  await comfy.finished(() => {});
  const pathOf = ([id]: readonly [NodeId, unknown]) => nodePath(place, id, comfy.openPlace());
  const own = new Set(parts.flatMap(({ nodes }) => nodes));
  const paths = moved.filter(([id]) => own.has(id)).map(pathOf);
  const yielding = moved.filter(([id]) => !own.has(id)).map(pathOf);
  if (place.join() === comfy.openPlace().join()) comfy.bringIntoView(ids, { always: true });
  const isAll = ids.length === graph.nodes.length;
  const where = whereabouts(comfy, place);
  const done = !isAll
    ? `Arranged ${wordsOf(paths)}${where}.`
    : 2 * moved.length > ids.length
      ? `Arranged all ${ids.length} nodes${where}.`
      : `Moved ${wordsOf(paths)} of all ${ids.length}${where}, left the others.`;
  const titles = framed.flatMap(([index]) => JSON.stringify(graph.groups[index]?.title ?? ""));
  const grown =
    framed.length > 0 ? [`Moved nothing: the frame of ${titles.join(", ")} now goes around its nodes.`] : [];
  return {
    ok: true,
    summary: [
      ...(paths.length > 0 ? [done] : grown),
      ...(yielding.length > 0 ? [`To make room for that, moved ${wordsOf(yielding)}.`] : []),
      ...parts.flatMap((part) => partWords(part, isAll)),
    ].join(" "),
    data: { moved: moved.length, groups: framed.length },
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

/** What of it one would not expect; of all nodes also how large they were and are. */
function partWords({ nodes, group, by, left, before, after }: ArrangedPart, all: boolean): string[] {
  const what = group === undefined ? wordsOf(nodes) : `group ${JSON.stringify(group)}`;
  const isGrown = (side: keyof Size) => after[side] > (1 + mostUntold) * before[side];
  const grown = [
    ...(isGrown("width") ? [`${before.width} → ${after.width} wide`] : []),
    ...(isGrown("height") ? [`${before.height} → ${after.height} high`] : []),
  ];
  if (left) {
    const kept = all ? `Left all as they are, ${sizeWords(before)}` : `Left ${what} as before`;
    const odd = oddWords(left);
    if (odd === undefined) return [`${kept}: it is in order.`];
    if (left.heaped.length > 0)
      return [`${kept}: what lies on it or around it leaves no room. Still, ${odd}.`];
    const anew = all ? "to lay them out anew" : "to lay it out anew in its place";
    return [`${kept}: ${anew} would not make the wires clearly shorter. Still, ${odd}.`];
  }
  if (all)
    return [
      sizeWords(before) === sizeWords(after)
        ? `${sizeWords(after)}.`
        : `${sizeWords(before)} → ${sizeWords(after)}.`,
    ];
  return [
    ...(by ? [`No room there: moved ${what} ${distanceWords(by)}.`] : []),
    ...(grown.length > 0 ? [`${sentence(what)}: ${grown.join(", ")}.`] : []),
  ];
}

function oddWords({ back, heaped }: Oddities): string | undefined {
  const [furthest] = back;
  const wires = back.length === 1 ? "1 wire runs back," : `${back.length} wires run back, the furthest`;
  const pairs = heaped.slice(0, mostPairs).map(([one, other]) => `${one} lies on ${other}`);
  const still = [
    ...(furthest ? [`${wires} ${furthest.from} → ${furthest.to} by ${furthest.by} px`] : []),
    ...pairs,
    ...(heaped.length > mostPairs ? [`${heaped.length - mostPairs} more lie on others`] : []),
  ];
  return still.length > 0 ? still.join("; ") : undefined;
}

function sizeWords({ width, height }: Size): string {
  return `${width}x${height}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function isSameBox(one: Rectangle | undefined, other: Rectangle): boolean {
  return one !== undefined && contains(one, other) && contains(other, one);
}
