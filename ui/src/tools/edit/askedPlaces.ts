/** Nodes that a batch says where to put: they lie on no other in the end, and the frame goes along of which they are all. */

import { frameAround } from "../../graph/frames";
import type { GraphGroup, GraphNode, Point, Rectangle } from "../../graph/graph";
import { standingThere, waysOffOthers } from "../../graph/placeAsked";
import { isInside, outline, shifted } from "../../graph/placement";
import type { Draft } from "./draft";
import type { DraftGraph } from "./draftGraphs";

/** What one operation puts somewhere, as one. */
export interface AskedPlaces {
  at: DraftGraph;
  nodes: readonly [GraphNode, ...GraphNode[]];
  /** The group that is put there, where they are its nodes and no others. */
  group?: GraphGroup | undefined;
}

/** What does not stand where it was asked to be, with what stands there: the group, or the first of several nodes. */
export interface PutAside {
  at: DraftGraph;
  thing: GraphNode | GraphGroup;
  for: readonly (GraphNode | GraphGroup)[];
}

export interface AskedPlacesSettled {
  /** Of nodes that keep their places to one another, the first. */
  aside: readonly PutAside[];
  frames: ReadonlyMap<DraftGraph, ReadonlyMap<number, Rectangle>>;
}

/** To be asked once all operations are planned: what was in the way may have gone. */
export function settleAsked({
  asked,
  placed,
  unplaced,
}: Pick<Draft, "asked" | "placed" | "unplaced">): AskedPlacesSettled {
  const aside: PutAside[] = [];
  const open = new Set(asked.flatMap(({ nodes }) => nodes));
  for (const [index, { at, nodes, group }] of asked.entries()) {
    const again = asked.slice(index + 1).flatMap((later) => later.nodes);
    const moving = nodes.filter((node) => at.graph.nodes.includes(node) && !again.includes(node));
    for (const node of moving) open.delete(node);
    const there = {
      ...at.graph,
      nodes: at.graph.nodes.filter((node) => !open.has(node) && !unplaced.has(node)),
    };
    const ids = moving.map(({ id }) => id);
    const along = [...framesAlong(at, new Set(moving), placed).values()];
    const ways = waysOffOthers(there, ids, along);
    const inTheWay = standingThere(there, ids, along);
    const shifts = moving.map((node) => ({ node, ...(ways.get(node.id) ?? { x: 0, y: 0 }) }));
    for (const { node, x, y } of shifts) node.position = { x: node.position.x + x, y: node.position.y + y };
    const [first] = shifts;
    const isOne = shifts.every(({ x, y }) => x === first?.x && y === first.y);
    for (const { node, x, y } of isOne ? shifts.slice(0, 1) : shifts)
      if (x !== 0 || y !== 0)
        aside.push({ at, thing: (isOne && group?.bounds && group) || node, for: inTheWay });
  }
  const frames = new Map(
    [...new Set(asked.map(({ at }) => at))].map((at) => [
      at,
      framesAlong(at, new Set(placed.keys()), placed),
    ]),
  );
  for (const [{ graph }, each] of frames)
    for (const [index, frame] of each) {
      const group = graph.groups[index];
      if (group) group.bounds = frame;
    }
  return { aside, frames };
}

/** Of groups all of whose nodes move: as it was around them, where they keep their places to one another. */
function framesAlong(
  { graph }: DraftGraph,
  moving: ReadonlySet<GraphNode>,
  before: ReadonlyMap<GraphNode, Point>,
): Map<number, Rectangle> {
  const frames = new Map<number, Rectangle>();
  for (const [index, { nodes: ids, bounds: frame }] of graph.groups.entries()) {
    const nodes = graph.nodes.filter(({ id }) => ids.includes(id));
    if (!frame || nodes.length === 0 || !nodes.every((node) => moving.has(node))) continue;
    const [first, ...others] = nodes.map(({ position }, each) => {
      const was = before.get(nodes[each] as GraphNode) ?? position;
      return { x: position.x - was.x, y: position.y - was.y };
    });
    if (first && others.every(({ x, y }) => x === first.x && y === first.y))
      frames.set(index, shifted(frame, first));
    else if (!nodes.some((node) => isInside(frame, outline(node))))
      frames.set(index, frameAround(nodes.map(outline)));
  }
  return frames;
}
