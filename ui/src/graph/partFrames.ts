/** The frames around a part of a graph that is laid out anew. */

import { innerFirst, type Placed } from "./blocks";
import { frameAround, frameGrown, frameOf, isGroupWithin } from "./frames";
import type { Graph, GraphGroup, GraphNode, Point, Rectangle } from "./graph";
import type { Part } from "./parts";
import { drawn as drawnBox, outline, overlaps } from "./placement";

export function frameNow(
  graph: Pick<Graph, "nodes" | "groups">,
  { bounds: drawn, nodes }: GraphGroup,
): Rectangle | undefined {
  return drawn ?? (nodes.length > 0 ? frameOf(graph, nodes) : undefined);
}

/** All frames that change when the part is placed so: that of its group goes along or grows, those around it grow. */
export function framesAfter(
  graph: Graph,
  { nodes, group: own }: Part,
  { nodes: boxes, frames: inner }: Placed,
  by: Point | "grown" = { x: 0, y: 0 },
): Map<GraphGroup, Rectangle> {
  const frames = new Map(inner);
  const isAround = (group: GraphGroup) =>
    !inner.has(group) && (group === own || nodes.some(({ id }) => group.nodes.includes(id)));
  for (const group of innerFirst(graph.groups.filter(isAround))) {
    const within = [
      ...graph.nodes.flatMap((node) =>
        group.nodes.includes(node.id) ? [boxes.get(node.id) ?? drawnBox(node)] : [],
      ),
      ...graph.groups.flatMap((each) =>
        isGroupWithin(each, group) ? (frames.get(each) ?? frameNow(graph, each) ?? []) : [],
      ),
    ];
    const { bounds: drawn } = group;
    if (!drawn) frames.set(group, frameAround(within));
    else if (group === own && by !== "grown") frames.set(group, fromCorner(drawn, by, within));
    else frames.set(group, frameGrown(drawn, within));
  }
  return frames;
}

/** Whether no frame that changes comes to lie on what is not in its group and was clear of it. */
export function framesFit(graph: Graph, part: Part, placed: Placed, by?: Point | "grown"): boolean {
  const after = framesAfter(graph, part, placed, by);
  return [...after].every(([group, frame]) => {
    if (placed.frames.has(group)) return true;
    const before = by && by !== "grown" && group === part.group ? undefined : frameNow(graph, group);
    const isMet = (box: Rectangle) => overlaps(frame, box) && !(before && overlaps(before, box));
    const isApart = (other: GraphGroup) =>
      other !== group &&
      !isGroupWithin(other, group) &&
      !isGroupWithin(group, other) &&
      !other.nodes.some((id) => group.nodes.includes(id));
    return !(
      graph.nodes.some(
        (node) => !group.nodes.includes(node.id) && isMet(placed.nodes.get(node.id) ?? drawnBox(node)),
      ) ||
      graph.groups.some((other) => {
        const box = isApart(other) ? (after.get(other) ?? frameNow(graph, other)) : undefined;
        return box !== undefined && isMet(box);
      })
    );
  });
}

/** A frame that keeps its corner, but for being moved along, and ends where its content does. */
function fromCorner({ x, y }: Point, by: Point, within: readonly Rectangle[]): Rectangle {
  const around = frameAround(within);
  const left = Math.min(x + by.x, around.x);
  const top = Math.min(y + by.y, around.y);
  return {
    x: left,
    y: top,
    width: around.x + around.width - left,
    height: around.y + around.height - top,
  };
}

/** Nodes that are not in the part, and frames of groups that have none of its nodes. */
export function obstaclesOf(
  { nodes: all, groups }: Graph,
  { nodes, inner, group: own }: Part,
  boxOf: (node: GraphNode) => Rectangle = outline,
): Rectangle[] {
  const moving = new Set(nodes.map(({ id }) => id));
  const foreign = groups.filter(
    (group) => group !== own && !inner.includes(group) && !group.nodes.some((id) => moving.has(id)),
  );
  return [
    ...all.filter(({ id }) => !moving.has(id)).map(boxOf),
    ...foreign.flatMap((group) => frameNow({ nodes: all, groups }, group) ?? []),
  ];
}
