/** Frames that grow for nodes which come to stand beside what is in them. */

import { isLoader, loadersBeside } from "./alikeNodes";
import { innerFirst } from "./blocks";
import { frameGrown, isGroupWithin } from "./frames";
import type { Graph, GraphGroup, NodeId, Rectangle } from "./graph";
import { sourcesOf } from "./newNodes";
import { bounds, boxesOf, contains, isInside, overlaps } from "./placement";
import { parts } from "./placingOrder";

/** So near to a frame a node stands beside it. */
const beside = 60;

/** Of groups beside which new nodes stand that belong to their nodes alone: new bounds, by their places in `Graph.groups`, where nothing is in the way. */
export function framesJoined(graph: Graph, added: ReadonlySet<NodeId>): Map<number, Rectangle> {
  const boxes = boxesOf(graph.nodes);
  const newIn = ({ bounds: frame }: GraphGroup) =>
    frame ? [...boxes].flatMap(([id, box]) => (added.has(id) && isInside(frame, box) ? [id] : [])) : [];
  const groups = graph.groups.map((group) => ({
    ...group,
    nodes: [...new Set([...group.nodes, ...newIn(group)])],
  }));
  const held = new Set(graph.groups.flatMap(newIn));
  return joinedTo({ ...graph, groups }, new Set([...added].filter((id) => !held.has(id))));
}

/** `open` are the new nodes that are in no frame yet. */
function joinedTo(graph: Graph, open: ReadonlySet<NodeId>): Map<number, Rectangle> {
  const boxes = boxesOf(graph.nodes);
  const joining = new Map<GraphGroup, readonly NodeId[]>();
  const isToBeFramed = (id: NodeId) =>
    graph.groups.some((group) => !group.bounds && group.nodes.includes(id));
  for (const part of parts(graph, [...open])) {
    if (part.some(isToBeFramed)) continue;
    const own = part.flatMap((id) => boxes.get(id) ?? []);
    const all = belongingTo(graph, part, open);
    const homes = graph.groups.filter(({ nodes }) => all.every((id) => nodes.includes(id)));
    const [home] = innerFirst(homes);
    if (all.length > 0 && home?.bounds && overlaps(home.bounds, bounds(own), beside))
      joining.set(home, [...(joining.get(home) ?? []), ...part]);
  }
  const larger = grown(graph, joining);
  if (larger.size === 0) return larger;
  // What stands beside those that came into a frame may come into it, too.
  const rest = new Set(open);
  const groups = graph.groups.map((group, index) => {
    const frame = larger.get(index);
    if (!frame) return group;
    const joined = joining.get(group) ?? [];
    for (const id of joined) rest.delete(id);
    return { ...group, bounds: frame, nodes: [...group.nodes, ...joined] };
  });
  return new Map([...larger, ...joinedTo({ ...graph, groups }, rest)]);
}

/** What these are linked to, or for a loader the one under which it stands. */
function belongingTo(graph: Graph, part: readonly NodeId[], added: ReadonlySet<NodeId>): NodeId[] {
  const old = graph.nodes.filter(({ id }) => !added.has(id));
  const [first, ...others] = graph.nodes.filter(({ id }) => part.includes(id));
  if (first && others.length === 0 && isLoader(first)) {
    const above = loadersBeside(old, first).filter(({ position }) => position.y < first.position.y);
    return above
      .sort((one, other) => other.position.y - one.position.y)
      .slice(0, 1)
      .map(({ id }) => id);
  }
  return graph.nodes.flatMap((node) => {
    const sources = sourcesOf(node);
    if (part.includes(node.id)) return sources.filter((id) => !part.includes(id));
    return sources.some((id) => part.includes(id)) ? [node.id] : [];
  });
}

function grown(
  { nodes, groups }: Graph,
  joining: ReadonlyMap<GraphGroup, readonly NodeId[]>,
): Map<number, Rectangle> {
  const boxes = boxesOf(nodes);
  const frames = new Map<number, Rectangle>();
  for (const group of innerFirst([...joining.keys()])) {
    const { bounds: frame, nodes: ids } = group;
    if (!frame) continue;
    const own = joining.get(group) ?? [];
    const after = frameGrown(
      frame,
      own.flatMap((id) => boxes.get(id) ?? []),
    );
    const isMet = (box: Rectangle) => overlaps(after, box) && !overlaps(frame, box);
    const foreign = [
      ...[...boxes].flatMap(([id, box]) => (ids.includes(id) || own.includes(id) ? [] : [box])),
      ...groups.flatMap((other) => other.bounds ?? []),
    ];
    const isLeft = groups.some(
      (other) => other.bounds && isGroupWithin(group, other) && !contains(other.bounds, after),
    );
    if (after !== frame && !isLeft && !foreign.some(isMet)) frames.set(groups.indexOf(group), after);
  }
  return frames;
}
