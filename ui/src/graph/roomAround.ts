/** Room for a group whose frame grows in its place: what lies right of it goes right, what lies below it down. */

import { isGroupWithin } from "./frames";
import type { Graph, Rectangle } from "./graph";
import { makeRoom, type RoomMade } from "./makeRoom";
import type { Part } from "./parts";
import { drawn, overlaps } from "./placement";

/** Undefined where something is in the way that lies neither right of it nor below. */
export function roomAround(
  graph: Graph,
  { nodes, inner, group: own }: Part,
  to: Rectangle,
): RoomMade | undefined {
  if (!own?.bounds) return undefined;
  const inside = new Set(nodes.map(({ id }) => id));
  const rest = {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => !inside.has(id)),
    groups: graph.groups.filter((group) => group !== own && !inner.includes(group)),
  };
  const homes = rest.groups.filter((group) => isGroupWithin(own, group));
  const { positions, frames } = makeRoom(rest, { from: own.bounds, to, homes });
  const obstacles = [
    ...rest.nodes.map((node) => drawn({ ...node, position: positions.get(node.id) ?? node.position })),
    ...rest.groups.flatMap((group, index) =>
      homes.includes(group) ? [] : (frames.get(index) ?? group.bounds ?? []),
    ),
  ];
  if (obstacles.some((other) => overlaps(to, other))) return undefined;
  const placeOf = (index: number) => graph.groups.indexOf(rest.groups[index] ?? own);
  return { positions, frames: new Map([...frames].map(([index, frame]) => [placeOf(index), frame])) };
}
