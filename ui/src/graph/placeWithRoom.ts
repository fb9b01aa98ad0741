/** Places for new nodes; where there is no room for them before what they feed, room is made. */

import { frameGrown, frameHeading, framePadding } from "./frames";
import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { fedBy, sourcesOf } from "./newNodes";
import { notesAt } from "./notes";
import { placeAdded } from "./placeAdded";
import { bounds, boxesOf, isBelow, outline, overlaps, shifted, titleHeight } from "./placement";
import { type Around, type Shoved, shoved } from "./shove";
import { type Chain, tightChains } from "./tightChains";

export interface PlacedWithRoom {
  /** Of the new nodes. */
  positions: ReadonlyMap<NodeId, Point>;
  /** Of those that make room. */
  moved: ReadonlyMap<NodeId, Point>;
  /** New bounds of groups, by their places in `Graph.groups`. */
  groups: ReadonlyMap<number, Rectangle>;
}

type Added = ReadonlyMap<NodeId, Rectangle | undefined>;

interface Whole {
  held: ReadonlySet<NodeId>;
  /** All new nodes, those that have their places among them. */
  batch: ReadonlyMap<NodeId, unknown>;
}

interface Roomy extends Shoved {
  news: ReadonlyMap<NodeId, Rectangle>;
}

const columnGap = 60;
const rowGap = 20;
const grid = 10;
/** So many move to the right, as a reader expects it; of more the other side may be less. */
const fewMoved = 6;
const mostTries = 4;
/** What moves goes by so much further than it has to at most; a higher node does not come into a column alone. */
const mostMore = 200;
const mostInColumn = 220;

/** As `placeAdded`; `held` are nodes that stay where they are. */
export function placeWithRoom(
  graph: Graph,
  added: Added,
  held: ReadonlySet<NodeId> = new Set(),
): PlacedWithRoom {
  return placedIn(graph, added, { held, batch: added });
}

function placedIn(graph: Graph, added: Added, whole: Whole): PlacedWithRoom {
  const replacing = new Map([...added].filter(([, box]) => box));
  if (replacing.size > 0) return afterReplacing(graph, added, replacing, whole);
  const positions = placeAdded(graph, added);
  for (const chain of tightChains(graph, added, positions, whole)) {
    const room = inColumn(graph, added, chain, whole) ?? inRow(graph, added, chain, whole);
    if (room) return aroundRoom(graph, added, room, whole);
  }
  return { positions, moved: new Map(), groups: new Map() };
}

/** Those that take the place of others come first, and have theirs then, as what was there. */
function afterReplacing(graph: Graph, added: Added, replacing: Added, whole: Whole): PlacedWithRoom {
  const others = new Map([...added].filter(([id]) => !replacing.has(id)));
  const nodes = graph.nodes.filter(({ id }) => !others.has(id));
  const first = placeAdded({ ...graph, nodes }, replacing);
  const frames = framesAround({ ...graph, nodes }, replacing, first);
  if (others.size === 0) return { positions: first, moved: new Map(), groups: frames };
  const settled = withPlaces(graph, { positions: first, frames });
  const rest = placedIn(settled, others, { ...whole, batch: others });
  const [replaced, moved] = [true, false].map((isReplaced) =>
    [...rest.moved].filter(([id]) => replacing.has(id) === isReplaced),
  );
  return {
    positions: new Map([...first, ...rest.positions, ...(replaced ?? [])]),
    moved: new Map(moved),
    groups: new Map([...frames, ...rest.groups]),
  };
}

/** Of groups out of which these stick, where nothing is in the way. */
function framesAround(
  { nodes, groups }: Graph,
  replacing: Added,
  positions: ReadonlyMap<NodeId, Point>,
): Map<number, Rectangle> {
  const boxes = boxesOf(nodes, positions);
  const frames = new Map<number, Rectangle>();
  for (const [index, { bounds: frame, nodes: ids }] of groups.entries()) {
    if (!frame) continue;
    const own = ids.flatMap((id) => (replacing.has(id) ? (boxes.get(id) ?? []) : []));
    const grown = frameGrown(frame, own);
    const isMet = (box: Rectangle) => overlaps(grown, box) && !overlaps(frame, box);
    const foreign = [
      ...[...boxes].flatMap(([id, box]) => (ids.includes(id) ? [] : [box])),
      ...groups.flatMap((group) => group.bounds ?? []),
    ];
    if (grown !== frame && !foreign.some(isMet)) frames.set(index, grown);
  }
  return frames;
}

/** Then the other new nodes around them. */
function aroundRoom(graph: Graph, added: Added, { news, ...room }: Roomy, whole: Whole): PlacedWithRoom {
  const positions = new Map(
    [...news].map(([id, { x, y }]): [NodeId, Point] => [id, { x, y: y + titleHeight }]),
  );
  const all = new Map([...room.positions, ...positions]);
  const others = new Map([...added].filter(([id]) => !news.has(id)));
  const rest =
    others.size > 0
      ? placedIn(withPlaces(graph, { positions: all, frames: room.frames }), others, whole)
      : { positions: new Map(), moved: new Map(), groups: new Map() };
  const places = new Map([...all, ...rest.positions, ...rest.moved]);
  const isNew = (id: NodeId) => whole.batch.has(id);
  return {
    positions: new Map([...places].filter(([id]) => isNew(id))),
    moved: new Map([...places].filter(([id]) => !isNew(id))),
    groups: new Map([...room.frames, ...rest.groups]),
  };
}

/** In a column, under what feeds them, in its group or alone: what they feed moves down, or what feeds them up. */
function inColumn(
  graph: Graph,
  added: Added,
  { nodes, sources, heads }: Chain,
  { held }: Whole,
): Roomy | undefined {
  const [head, ...others] = heads;
  const source = sources.find((each) => head && isBelow(outline(each), outline(head)));
  if (!head || !source || others.length > 0) return undefined;
  const torn = new Set(groupsOf(graph, [head]).filter((group) => group.nodes.includes(source.id)));
  const isSmall =
    nodes.size === 1 &&
    graph.nodes.every((node) => !nodes.has(node.id) || outline(node).height <= mostInColumn);
  if (!isSmall && torn.size === 0) return undefined;
  const at = outline(head);
  let y = at.y;
  const news = new Map<NodeId, Rectangle>();
  for (const node of graph.nodes.filter(({ id }) => nodes.has(id))) {
    const box = { ...outline(node), x: at.x, y };
    news.set(node.id, box);
    y += box.height + rowGap;
  }
  const by = { x: 0, y: y - at.y };
  return withRoom(graph, { news, by, after: [head], before: [source] }, { held, added, torn, homes: torn });
}

interface Opening {
  news: ReadonlyMap<NodeId, Rectangle>;
  by: Point;
  /** What moves on, or else what moves back. */
  after: readonly GraphNode[];
  before: readonly GraphNode[];
}

/** By the fewest moves. */
function withRoom(graph: Graph, opening: Opening, around: Omit<Around, "news">): Roomy | undefined {
  const on = opened(graph, opening, around, 1);
  if (on && on.positions.size <= fewMoved) return on;
  const back = opened(graph, opening, around, -1);
  return back && !(on && on.positions.size <= back.positions.size) ? back : on;
}

/** Where what moves is not clear of it yet, it goes on further. */
function opened(
  graph: Graph,
  { news, by, after, before }: Opening,
  around: Omit<Around, "news">,
  way: 1 | -1,
): Roomy | undefined {
  const [moving, staying] = way > 0 ? [after, before] : [before, after];
  const seeds = new Set(moving.map(({ id }) => id));
  const held = new Set([...around.held, ...staying.map(({ id }) => id)]);
  let more = 0;
  for (let tries = 0; tries < mostTries; tries++) {
    const far = {
      x: by.x && way * (by.x + more),
      y: by.y && way * (by.y + more),
    };
    const placed = way > 0 ? news : new Map([...news].map(([id, box]) => [id, shifted(box, far)]));
    const room = shoved(graph, seeds, far, { ...around, held, news: placed });
    if (!room) return undefined;
    if (!("lacks" in room)) return { ...room, news: placed };
    more += Math.ceil(room.lacks / grid) * grid;
    if (more > mostMore) return undefined;
  }
  return undefined;
}

/** Between them in a row: what they feed moves to the right, or what feeds them to the left, whichever is less. */
function inRow(graph: Graph, added: Added, chain: Chain, { held }: Whole): Roomy | undefined {
  const { nodes, sources, heads } = chain;
  const within = groupsOf(graph, heads).filter((group) => sources.some(({ id }) => group.nodes.includes(id)));
  const areLoaders = sources.every((source) => sourcesOf(source).length === 0);
  const homes = new Set([...within, ...(areLoaders ? groupsOf(graph, sources) : [])]);
  const ahead = aheadOf(graph, heads, new Set(within));
  const open = {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => !ahead.has(id) && (nodes.has(id) || !added.has(id))),
    groups: graph.groups.filter(
      (group) => !homes.has(group) && (group.nodes.length === 0 || !group.nodes.every((id) => ahead.has(id))),
    ),
  };
  const places = placeAdded(open, new Map([...nodes].map((id) => [id, undefined])), { hasBranches: false });
  const news = withinFrames(
    new Map([...boxesOf(graph.nodes, places)].filter(([id]) => nodes.has(id))),
    [...homes],
    boxesOf(open.nodes.filter(({ id }) => !nodes.has(id))),
  );
  const edge = (node: GraphNode) =>
    Math.max(
      ...sourcesOf(node)
        .flatMap((id) => news.get(id) ?? [])
        .map(({ x, width }) => x + width),
    );
  const wanted = Math.max(...heads.map((head) => edge(head) + columnGap - head.position.x));
  if (wanted <= 0) return { positions: new Map(), frames: new Map(), news };
  const by = Math.ceil(wanted / grid) * grid;
  const opening = { news, by: { x: by, y: 0 }, after: heads, before: sources };
  const torn = new Set(within);
  return (
    withRoom(graph, opening, { held, added, torn, homes }) ??
    withRoom(graph, opening, { held, added, torn, homes: torn })
  );
}

/** Up or down into the frames that get them, which become no higher by them, where nothing is in the way. */
function withinFrames(
  news: ReadonlyMap<NodeId, Rectangle>,
  homes: readonly GraphGroup[],
  others: ReadonlyMap<NodeId, Rectangle>,
): ReadonlyMap<NodeId, Rectangle> {
  const whole = bounds([...news.values()]);
  const tops = homes.flatMap((group) => (group.bounds ? [group.bounds.y + frameHeading] : []));
  const bottoms = homes.flatMap(({ bounds: frame }) =>
    frame ? [frame.y + frame.height - framePadding] : [],
  );
  const top = Math.max(...tops, Number.NEGATIVE_INFINITY);
  const bottom = Math.min(...bottoms, Number.POSITIVE_INFINITY) - whole.height;
  const by = Math.max(Math.min(whole.y, bottom), top) - whole.y;
  const moved = new Map([...news].map(([id, box]) => [id, shifted(box, { x: 0, y: by })]));
  const isMet = [...moved.values()].some((one) => [...others.values()].some((other) => overlaps(one, other)));
  return isMet ? news : moved;
}

/** What makes room for what comes before these, if it has to: what they lead to further right, whole groups. */
function aheadOf(
  graph: Graph,
  heads: readonly GraphNode[],
  torn: ReadonlySet<GraphGroup>,
): ReadonlySet<NodeId> {
  const cut = Math.min(...heads.map(({ position }) => position.x));
  const ids = new Set(heads.flatMap(({ id }) => [id, ...fedBy(graph, id)]));
  const ahead = new Set(
    graph.nodes.filter(({ id, position }) => ids.has(id) && position.x >= cut).map(({ id }) => id),
  );
  for (const group of graph.groups)
    if (!torn.has(group) && group.nodes.some((id) => ahead.has(id)))
      for (const id of group.nodes) ahead.add(id);
  for (const { id } of notesAt(graph, ahead)) ahead.add(id);
  return ahead;
}

function withPlaces(graph: Graph, { positions, frames }: Shoved): Graph {
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, position: positions.get(node.id) ?? node.position })),
    groups: graph.groups.map((group, index) => {
      const frame = frames.get(index);
      return frame ? { ...group, bounds: frame } : group;
    }),
  };
}

function groupsOf({ groups }: Graph, nodes: readonly GraphNode[]): GraphGroup[] {
  return groups.filter((group) => nodes.some(({ id }) => group.nodes.includes(id)));
}
