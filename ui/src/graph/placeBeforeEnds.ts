/** Places for new nodes, some of them before the end of a workflow: that moves on where the canvas is free. */

import { innerFirst } from "./blocks";
import { frameGrown, isGroupWithin } from "./frames";
import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { placeAdded } from "./placeAdded";
import { contains, outline, overlaps, titleHeight } from "./placement";
import { runsBack } from "./wires";

export interface PlacedBeforeEnds {
  /** Of the new nodes. */
  positions: ReadonlyMap<NodeId, Point>;
  /** Of the ends that move. */
  ends: ReadonlyMap<NodeId, Point>;
  /** New bounds of the groups that have these, by their places in `Graph.groups`. */
  groups: ReadonlyMap<number, Rectangle>;
}

const columnGap = 60;
const gap = 20;
const grid = 10;

/** As `placeAdded`; `held` are nodes that stay where they are. */
export function placeBeforeEnds(
  graph: Graph,
  added: ReadonlyMap<NodeId, Rectangle | undefined>,
  held: ReadonlySet<NodeId> = new Set(),
): PlacedBeforeEnds {
  const positions = placeAdded(graph, added);
  const ends = endsBehind(graph, added, positions).filter(({ id }) => !held.has(id));
  const moved = ends.length > 0 ? aroundEnds(graph, added, ends) : undefined;
  return moved ?? { positions, ends: new Map(), groups: new Map() };
}

/** What feeds the ends comes first, then these, then the other new nodes around them. */
function aroundEnds(
  graph: Graph,
  added: ReadonlyMap<NodeId, Rectangle | undefined>,
  ends: readonly GraphNode[],
): PlacedBeforeEnds | undefined {
  const met = metBackwards(graph, added, ends.flatMap(sourcesOf));
  const [before, others] = [true, false].map(
    (isBefore) => new Map([...added].filter(([id]) => met.has(id) === isBefore)),
  ) as [Map<NodeId, Rectangle | undefined>, Map<NodeId, Rectangle | undefined>];
  const nodes = graph.nodes.filter(({ id }) => !others.has(id));
  const moved = withEndsMoved({ ...graph, nodes }, before, ends);
  if (!moved || others.size === 0) return moved;
  const places = new Map([...moved.positions, ...moved.ends]);
  const settled = {
    ...graph,
    nodes: graph.nodes.map((node) => {
      const position = places.get(node.id);
      return position ? { ...node, position } : node;
    }),
    groups: graph.groups.map((group, index) => {
      const frame = moved.groups.get(index);
      return frame ? { ...group, bounds: frame } : group;
    }),
  };
  return { ...moved, positions: new Map([...moved.positions, ...placeAdded(settled, others)]) };
}

/** Nodes that feed nothing, right of all that fed them so far, and not right of new ones that feed them. */
function endsBehind(
  graph: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  positions: ReadonlyMap<NodeId, Point>,
): GraphNode[] {
  const boxes = boxesOf(graph.nodes, positions);
  // Those that are there are drawn, and end where they end.
  for (const { id, size } of graph.nodes) {
    const box = boxes.get(id);
    if (box && !added.has(id)) boxes.set(id, { ...box, width: size.width });
  }
  return graph.nodes.filter((node) => {
    if (added.has(node.id) || node.outputs.some(({ linkedTo }) => linkedTo.length > 0)) return false;
    const isBack = (source: NodeId) => {
      const from = boxes.get(source);
      return from !== undefined && runsBack(from, node.position);
    };
    const sources = sourcesOf(node);
    if (!sources.some((source) => added.has(source) && isBack(source))) return false;
    const met = metBackwards(graph, added, sources);
    return ![...met].some((id) => !added.has(id) && isBack(id));
  });
}

/** These and what feeds the new ones among them, through new ones. */
function metBackwards(
  graph: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  ids: readonly NodeId[],
): ReadonlySet<NodeId> {
  const met = new Set<NodeId>();
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (met.has(id)) continue;
    met.add(id);
    const node = added.has(id) ? graph.nodes.find((each) => each.id === id) : undefined;
    if (node) open.push(...sourcesOf(node));
  }
  return met;
}

/** Undefined where something is in the way. */
function withEndsMoved(
  graph: Graph,
  added: ReadonlyMap<NodeId, Rectangle | undefined>,
  ends: readonly GraphNode[],
): PlacedBeforeEnds | undefined {
  const news = graph.nodes.filter(({ id }) => added.has(id));
  const length = news.reduce((sum, node) => sum + outline(node).width + 2 * columnGap, 2 * columnGap);
  const height = Math.max(...news.map((node) => outline(node).height + 2 * gap));
  const around = graph.groups.filter(({ nodes }) => ends.some(({ id }) => nodes.includes(id)));
  const wide = new Map(
    around.flatMap((group) => {
      const { bounds: frame } = group;
      return frame
        ? [[group, { ...frame, width: frame.width + length, height: frame.height + height }] as const]
        : [];
    }),
  );
  const positions = placeAdded(withoutEnds(graph, added, ends, wide), added);
  const boxes = boxesOf(
    graph.nodes.filter((node) => !ends.includes(node)),
    positions,
  );
  const apart = graph.groups.flatMap((group) =>
    group.bounds && !around.includes(group) && !around.some((each) => isGroupWithin(each, group))
      ? [group.bounds]
      : [],
  );
  for (const end of ends) {
    const own = outline(end);
    const feeding = sourcesOf(end).flatMap((id) => boxes.get(id) ?? []);
    const edge = Math.max(...feeding.map(({ x, width }) => x + width));
    const box = { ...own, x: Math.max(own.x, Math.ceil((edge + columnGap) / grid) * grid) };
    const isTaken = (other: Rectangle) => overlaps(box, other, gap - grid);
    if (box.x - own.x > length || [...boxes.values(), ...apart].some(isTaken)) return undefined;
    boxes.set(end.id, box);
  }
  const frames = framesAround(
    graph,
    around,
    boxes,
    (id) => added.has(id) || ends.some((each) => each.id === id),
  );
  if (!frames) return undefined;
  return {
    positions,
    ends: new Map(
      ends.flatMap(({ id }) => {
        const box = boxes.get(id);
        return box ? [[id, { x: box.x, y: box.y + titleHeight }] as const] : [];
      }),
    ),
    groups: new Map([...frames].map(([group, frame]) => [graph.groups.indexOf(group), frame])),
  };
}

/** The groups of the ends have room for the new nodes that feed these. */
function withoutEnds(
  graph: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  ends: readonly GraphNode[],
  wide: ReadonlyMap<GraphGroup, Rectangle>,
): Graph {
  const feeding = ends.flatMap(sourcesOf).filter((id) => added.has(id));
  return {
    ...graph,
    nodes: graph.nodes.filter((node) => !ends.includes(node)),
    groups: graph.groups.map((group) => {
      const frame = wide.get(group);
      return frame ? { ...group, bounds: frame, nodes: [...group.nodes, ...feeding] } : group;
    }),
  };
}

/** The frames that have to grow; undefined where one would come to lie on what is not in it. */
function framesAround(
  graph: Graph,
  groups: readonly GraphGroup[],
  boxes: ReadonlyMap<NodeId, Rectangle>,
  isMoved: (id: NodeId) => boolean,
): ReadonlyMap<GraphGroup, Rectangle> | undefined {
  const frames = new Map<GraphGroup, Rectangle>();
  const outer = graph.groups.filter((group) => groups.some((each) => isGroupWithin(each, group)));
  for (const group of innerFirst([...new Set([...groups, ...outer])])) {
    const { bounds: before } = group;
    if (!before) continue;
    const own = [...boxes].filter(([id]) => group.nodes.includes(id) && isMoved(id)).map(([, box]) => box);
    const inner = [...frames].flatMap(([each, frame]) => (isGroupWithin(each, group) ? [frame] : []));
    const grown = withMet(frameGrown(before, [...own, ...inner]), boxes, isMoved);
    const isNew = (box: Rectangle) => overlaps(grown, box) && !overlaps(before, box);
    const isForeign = (other: GraphGroup) =>
      other !== group && !isGroupWithin(other, group) && !isGroupWithin(group, other);
    const isBlocked =
      [...boxes].some(
        ([id, box]) => isNew(box) && !group.nodes.includes(id) && !(isMoved(id) && contains(grown, box)),
      ) || graph.groups.some((other) => other.bounds && isForeign(other) && isNew(other.bounds));
    if (isBlocked) return undefined;
    if (!contains(before, grown)) frames.set(group, grown);
  }
  return frames;
}

/** Large enough for the new nodes that lie partly in it. */
function withMet(
  frame: Rectangle,
  boxes: ReadonlyMap<NodeId, Rectangle>,
  isMoved: (id: NodeId) => boolean,
): Rectangle {
  const met = [...boxes].flatMap(([id, box]) => (isMoved(id) && overlaps(frame, box) ? [box] : []));
  return frameGrown(frame, met);
}

function sourcesOf({ inputs }: GraphNode): NodeId[] {
  return [...new Set(inputs.flatMap(({ linkedFrom }) => linkedFrom?.node ?? []))];
}

function boxesOf(nodes: readonly GraphNode[], positions: ReadonlyMap<NodeId, Point>): Map<NodeId, Rectangle> {
  return new Map(
    nodes.map(({ id, size, position }) => [id, outline({ size, position: positions.get(id) ?? position })]),
  );
}
