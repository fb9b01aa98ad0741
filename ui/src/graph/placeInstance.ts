/** Where nodes go that a subgraph is made of or comes apart into: near where they are, and on nothing. */

import { frameGrown } from "./frames";
import { nearestFree } from "./freePlace";
import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { bounds, contains, outline, overlaps, titleHeight } from "./placement";
import { runsBack } from "./wires";

const gap = 20;
/** Wires that run forward are worth so long a way. */
const farthest = 600;

/** Where the node of a new subgraph lies on nothing, near where it is; in `homes` lay what went into it. */
export function placeOfInstance(
  { nodes, groups }: Graph,
  instance: GraphNode,
  homes: readonly GraphGroup[],
): Point {
  const others = nodes.filter(({ id }) => id !== instance.id);
  const boxes = new Map(others.map((node) => [node.id, outline(node)]));
  const frames = groups.filter((group) => !homes.includes(group)).flatMap((group) => group.bounds ?? []);
  const obstacles = [...boxes.values(), ...frames];
  const sources = instance.inputs.flatMap(({ linkedFrom }) => boxes.get(linkedFrom?.node ?? "") ?? []);
  const targets = instance.outputs.flatMap(({ linkedTo }) =>
    linkedTo.flatMap(({ node }) => boxes.get(node) ?? []),
  );
  const wiresBack = (place: Rectangle) =>
    sources.filter((box) => runsBack(box, place)).length +
    targets.filter((box) => runsBack(place, box)).length;
  const wish = outline(instance);
  if (!obstacles.some((box) => overlaps(box, wish))) return instance.position;
  const isNear = ({ x, y }: Point) => Math.abs(x - wish.x) + Math.abs(y - wish.y) <= farthest;
  for (let most = 0; most < sources.length + targets.length; most++) {
    const found = nearestFree(wish, obstacles, {
      gap,
      fits: (place) => isNear(place) && wiresBack(place) <= most,
    });
    if (found) return positionOf(found);
  }
  return positionOf(nearestFree(wish, obstacles, { gap }) ?? wish);
}

export interface Settled {
  by: Point;
  positions: ReadonlyMap<NodeId, Point>;
  /** New bounds of frames, by the places of their groups in `Graph.groups`. */
  frames: ReadonlyMap<number, Rectangle>;
}

/**
 * Nodes that came out of a subgraph go together, with the frames of their own groups, to the nearest place where they lie
 * on nothing; the frames of `homes`, in which the subgraph's node lay, may grow. Undefined where they lie on no other node:
 * they may have come out of a frame that is there.
 */
export function settled(
  { nodes, groups }: Graph,
  ids: ReadonlySet<NodeId>,
  own: readonly GraphGroup[],
  homes: readonly GraphGroup[],
): Settled | undefined {
  const moving = nodes.filter(({ id }) => ids.has(id));
  const boxes = [...moving.map(outline), ...own.flatMap((group) => group.bounds ?? [])];
  const others = nodes.filter(({ id }) => !ids.has(id)).map((node) => ({ id: node.id, box: outline(node) }));
  const isForeign = (group: GraphGroup) => !own.includes(group) && !homes.includes(group);
  const frames = groups.filter(isForeign).flatMap((group) => group.bounds ?? []);
  const obstacles = [...others.map(({ box }) => box), ...frames];
  const block = bounds(boxes);
  const grown = (place: Rectangle) =>
    homes.flatMap((group) =>
      group.bounds && overlaps(group.bounds, place) && !contains(group.bounds, place)
        ? [{ group, before: group.bounds, after: frameGrown(group.bounds, [place]) }]
        : [],
    );
  const fits = (place: Rectangle) =>
    grown(place).every(({ group, before, after }) => {
      const isMet = (box: Rectangle) => overlaps(after, box) && !overlaps(before, box);
      return !others.some(({ id, box }) => !group.nodes.includes(id) && isMet(box)) && !frames.some(isMet);
    });
  const isClear = !boxes.some((box) => others.some((other) => overlaps(box, other.box)));
  const place = isClear && fits(block) ? block : (nearestFree(block, obstacles, { gap, fits }) ?? block);
  const by = { x: place.x - block.x, y: place.y - block.y };
  const moved = (box: Rectangle) => ({ ...box, x: box.x + by.x, y: box.y + by.y });
  const after = grown(place);
  if (by.x === 0 && by.y === 0 && after.length === 0) return undefined;
  return {
    by,
    positions: new Map(
      moving.map(({ id, position: { x, y } }) => [id, { x: x + by.x, y: y + by.y }] as const),
    ),
    frames: new Map([
      ...own.flatMap((group) =>
        group.bounds ? [[groups.indexOf(group), moved(group.bounds)] as const] : [],
      ),
      ...after.map((each) => [groups.indexOf(each.group), each.after] as const),
    ]),
  };
}

function positionOf({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) + titleHeight };
}
