/** Places for new nodes, some of them before the end of a workflow: that moves on where the canvas is free. */

import { innerFirst } from "./blocks";
import { frameGrown, isGroupWithin } from "./frames";
import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { notesAt } from "./notes";
import { placeAdded } from "./placeAdded";
import { chainTogether } from "./placeChain";
import { boxesOf, contains, outline, overlaps, titleHeight } from "./placement";
import { sourcesOf, type Tail, type Tails, tailsBehind } from "./tails";

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
  return placedIn(graph, added, { held, batch: added });
}

interface Whole {
  held: ReadonlySet<NodeId>;
  /** All new nodes, those that have their places among them. */
  batch: ReadonlyMap<NodeId, unknown>;
}

function placedIn(
  graph: Graph,
  added: ReadonlyMap<NodeId, Rectangle | undefined>,
  whole: Whole,
): PlacedBeforeEnds {
  const positions = placeAdded(graph, added);
  let chain: ReadonlySet<NodeId> = new Set();
  for (const tails of tailsBehind(graph, added, positions, whole)) {
    const moved =
      aroundTails(graph, added, withNotes(graph, tails, whole), whole) ??
      aroundTails(graph, added, tails, whole);
    if (moved) return moved;
    chain = tails.before;
  }
  const together = chainTogether(graph, added, chain, positions);
  return { positions: together ?? positions, ends: new Map(), groups: new Map() };
}

/** Notes that stand right over or under them go along. */
function withNotes(graph: Graph, { tails, before }: Tails, { held, batch }: Whole): Tails {
  const isStill = ({ id }: GraphNode) => held.has(id) || batch.has(id);
  return {
    tails: tails.map((tail) => {
      const notes = notesAt(graph, new Set(tail.nodes.map(({ id }) => id)));
      return { ...tail, nodes: [...tail.nodes, ...notes.filter((note) => !isStill(note))] };
    }),
    before,
  };
}

/** What feeds the tails comes first, then these, then the other new nodes around them. */
function aroundTails(
  graph: Graph,
  added: ReadonlyMap<NodeId, Rectangle | undefined>,
  { tails, before }: Tails,
  whole: Whole,
): PlacedBeforeEnds | undefined {
  const others = new Map([...added].filter(([id]) => !before.has(id)));
  const first = new Map([...added].filter(([id]) => before.has(id)));
  const nodes = graph.nodes.filter(({ id }) => !others.has(id));
  const moved = withTailsMoved({ ...graph, nodes }, first, tails);
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
  const rest = placedIn(settled, others, whole);
  const [news, ends] = [true, false].map((isNew) =>
    [...moved.ends, ...rest.ends].filter(([id]) => whole.batch.has(id) === isNew),
  );
  return {
    positions: new Map([...moved.positions, ...rest.positions, ...(news ?? [])]),
    ends: new Map(ends),
    groups: new Map([...moved.groups, ...rest.groups]),
  };
}

/** Undefined where something is in the way. */
function withTailsMoved(
  graph: Graph,
  added: ReadonlyMap<NodeId, Rectangle | undefined>,
  tails: readonly Tail[],
): PlacedBeforeEnds | undefined {
  const news = graph.nodes.filter(({ id }) => added.has(id));
  const length = news.reduce((sum, node) => sum + outline(node).width + 2 * columnGap, 2 * columnGap);
  const height = Math.max(...news.map((node) => outline(node).height + 2 * gap));
  const ends = tails.flatMap(({ nodes }) => nodes);
  const isMoved = (id: NodeId) => added.has(id) || ends.some((each) => each.id === id);
  const carried = new Map(
    tails.map((tail) => [tail, graph.groups.filter((group) => isWhollyIn(group, tail))]),
  );
  const isCarried = (group: GraphGroup) => [...carried.values()].some((groups) => groups.includes(group));
  const around = graph.groups.filter(
    (group) => !isCarried(group) && ends.some(({ id }) => group.nodes.includes(id)),
  );
  const heads = tails.flatMap((tail) => tail.heads);
  const wide = new Map(
    around.flatMap((group) => {
      const { bounds: frame, nodes } = group;
      return frame && heads.some(({ id }) => nodes.includes(id))
        ? [[group, { ...frame, width: frame.width + length, height: frame.height + height }] as const]
        : [];
    }),
  );
  const open = { ...graph, groups: graph.groups.filter((group) => !isCarried(group)) };
  const positions = placeAdded(withoutEnds(open, added, { ends, heads, wide }), added);
  const boxes = boxesOf(
    graph.nodes.filter((node) => !ends.includes(node)),
    positions,
  );
  const apart = graph.groups.flatMap((group) =>
    group.bounds &&
    !isCarried(group) &&
    !around.includes(group) &&
    !around.some((each) => isGroupWithin(each, group))
      ? [group.bounds]
      : [],
  );
  const frames = new Map<GraphGroup, Rectangle>();
  for (const tail of tails) {
    const by = Math.max(0, ...tail.heads.map((head) => shiftOf(head, boxes)));
    const fed = [...news, ...tail.heads].flatMap(sourcesOf).filter((id) => !added.has(id));
    const start = Math.max(...fed.flatMap((id) => boxes.get(id) ?? []).map(({ x, width }) => x + width));
    const most = length + Math.max(0, ...tail.heads.map(({ position }) => start - position.x));
    const shifted = (box: Rectangle) => ({ ...box, x: box.x + by });
    const own = tail.nodes.map((node) => [node.id, shifted(outline(node))] as const);
    const drawn = (carried.get(tail) ?? []).flatMap((group) =>
      group.bounds ? [[group, shifted(group.bounds)] as const] : [],
    );
    const taken = [...boxes.values(), ...apart, ...frames.values()];
    const isFree = [...own, ...drawn].every(
      ([, box]) => !taken.some((each) => overlaps(box, each, gap - grid)),
    );
    if (by > most || !isFree) return undefined;
    for (const [id, box] of own) boxes.set(id, box);
    for (const [group, frame] of drawn) frames.set(group, frame);
  }
  const grown = framesAround(graph, around, { boxes, frames, isMoved });
  if (!grown) return undefined;
  return {
    positions,
    ends: new Map(
      ends.flatMap(({ id }) => {
        const box = boxes.get(id);
        return box ? [[id, { x: box.x, y: box.y + titleHeight }] as const] : [];
      }),
    ),
    groups: new Map([...grown].map(([group, frame]) => [graph.groups.indexOf(group), frame])),
  };
}

function isWhollyIn({ nodes }: GraphGroup, tail: Tail): boolean {
  return nodes.length > 0 && nodes.every((id) => tail.nodes.some((node) => node.id === id));
}

/** How far it goes to stand right of what feeds it. */
function shiftOf(head: GraphNode, boxes: ReadonlyMap<NodeId, Rectangle>): number {
  const feeding = sourcesOf(head).flatMap((id) => boxes.get(id) ?? []);
  const edge = Math.max(...feeding.map(({ x, width }) => x + width));
  return Math.ceil((edge + columnGap) / grid) * grid - head.position.x;
}

/** The groups of the heads have room for the new nodes that feed these. */
function withoutEnds(
  graph: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  {
    ends,
    heads,
    wide,
  }: {
    ends: readonly GraphNode[];
    heads: readonly GraphNode[];
    wide: ReadonlyMap<GraphGroup, Rectangle>;
  },
): Graph {
  const feeding = heads.flatMap(sourcesOf).filter((id) => added.has(id));
  return {
    ...graph,
    nodes: graph.nodes.filter((node) => !ends.includes(node)),
    groups: graph.groups.map((group) => {
      const frame = wide.get(group);
      return frame ? { ...group, bounds: frame, nodes: [...group.nodes, ...feeding] } : group;
    }),
  };
}

interface Moved {
  boxes: ReadonlyMap<NodeId, Rectangle>;
  /** Of the groups that went with their nodes. */
  frames: ReadonlyMap<GraphGroup, Rectangle>;
  isMoved: (id: NodeId) => boolean;
}

/** Those that went, and those that have to grow; undefined where one would come to lie on what is not in it. */
function framesAround(
  graph: Graph,
  groups: readonly GraphGroup[],
  { boxes, frames: carried, isMoved }: Moved,
): ReadonlyMap<GraphGroup, Rectangle> | undefined {
  const frames = new Map(carried);
  const outer = graph.groups.filter((group) =>
    [...groups, ...carried.keys()].some((each) => !carried.has(group) && isGroupWithin(each, group)),
  );
  for (const group of innerFirst([...new Set([...groups, ...outer])])) {
    const { bounds: before } = group;
    if (!before) continue;
    const own = [...boxes].filter(([id]) => group.nodes.includes(id) && isMoved(id)).map(([, box]) => box);
    const inner = [...frames].flatMap(([each, frame]) => (isGroupWithin(each, group) ? [frame] : []));
    const grown = withMet(frameGrown(before, [...own, ...inner]), boxes, isMoved);
    const isNew = (box: Rectangle) => overlaps(grown, box) && !overlaps(before, box);
    const isForeign = (other: GraphGroup) =>
      other !== group && !carried.has(other) && !isGroupWithin(other, group) && !isGroupWithin(group, other);
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
