/** Places for nodes that take the place of others: there, one under the other, and what is in the way makes room. */

import type { Graph, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { makeRoom, type RoomMade } from "./makeRoom";
import { placeAdded } from "./placeAdded";
import { bounds, contains, drawn, isInside, outline, titleHeight } from "./placement";

/** Of nodes and frames; `positions` are those of the new nodes, and of what made room. */
export interface Placed {
  positions: ReadonlyMap<NodeId, Point>;
  frames: ReadonlyMap<number, Rectangle>;
}

const rowGap = 20;
/** More than so many do not make room. */
const mostMoved = 12;

/** `replacing` has the boxes of the others; what is `held` stays where it is. */
export function placeReplacing(
  graph: Graph,
  replacing: ReadonlyMap<NodeId, Rectangle | undefined>,
  held: ReadonlySet<NodeId>,
): Placed {
  // Those without their places yet push, and are pushed, as what they replace.
  let after = { ...graph, nodes: graph.nodes.map((node) => inBox(node, replacing.get(node.id))) };
  const frames = new Map<number, Rectangle>();
  const moved = new Set(replacing.keys());
  for (const ids of sharing(replacing)) {
    const [first] = after.nodes.filter(({ id }) => ids.includes(id));
    if (!first) continue;
    const box = outline(first);
    const own = graph.nodes.filter(({ id }) => ids.includes(id));
    const there = { ...after, nodes: after.nodes.filter(({ id }) => !ids.includes(id)) };
    const room = inPlace(there, own, box, held);
    const placed = room ?? {
      positions: placeAdded(
        { ...there, nodes: [...there.nodes, ...own] },
        new Map(ids.map((id) => [id, box])),
      ),
      frames: new Map(),
    };
    for (const id of placed.positions.keys()) moved.add(id);
    for (const [index, frame] of placed.frames) frames.set(index, frame);
    after = withPlaces({ ...after, nodes: [...there.nodes, ...own] }, placed);
  }
  const positions = new Map(
    after.nodes.flatMap(({ id, position }) => (moved.has(id) ? [[id, position]] : [])),
  );
  return { positions, frames };
}

/** Undefined where too much would have to move for it. */
function inPlace(
  { nodes, groups }: Graph,
  own: readonly GraphNode[],
  from: Rectangle,
  held: ReadonlySet<NodeId>,
): RoomMade | undefined {
  let { y } = from;
  const boxes = own.map((node): [NodeId, Rectangle] => {
    const box = { ...drawn(node), x: from.x, y };
    y += box.height + rowGap;
    return [node.id, box];
  });
  const placed = boxes.map(([id, box]): [NodeId, Point] => [id, { x: box.x, y: box.y + titleHeight }]);
  const whole = bounds(boxes.map(([, box]) => box));
  if (contains(from, whole)) return { positions: new Map(placed), frames: new Map() };
  const to = {
    ...from,
    width: Math.max(from.width, whole.width),
    height: Math.max(from.height, whole.height),
  };
  const homes = groups.filter((group) => group.bounds && isInside(group.bounds, from));
  const { positions, frames } = makeRoom({ nodes, groups }, { from, to, homes });
  if (positions.size > mostMoved || [...positions.keys()].some((id) => held.has(id))) return undefined;
  return { positions: new Map([...positions, ...placed]), frames };
}

/** As large as what it replaces, where that stood. */
function inBox(node: GraphNode, box: Rectangle | undefined): GraphNode {
  if (!box) return node;
  const { x, y, width, height } = box;
  return { ...node, position: { x, y: y + titleHeight }, size: { width, height: height - titleHeight } };
}

/** Those together that replace the same. */
function sharing(replacing: ReadonlyMap<NodeId, Rectangle | undefined>): NodeId[][] {
  return [...Map.groupBy(replacing.keys(), (id) => replacing.get(id)).values()];
}

export function withPlaces(graph: Graph, { positions, frames }: Placed): Graph {
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, position: positions.get(node.id) ?? node.position })),
    groups: graph.groups.map((group, index) => {
      const frame = frames.get(index);
      return frame ? { ...group, bounds: frame } : group;
    }),
  };
}
