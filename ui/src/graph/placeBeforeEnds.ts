/** Places for new nodes; where there is no room for them before what they feed, room is made. */

import type { Graph, GraphGroup, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { fedBy, sourcesOf } from "./newNodes";
import { notesAt } from "./notes";
import { placeAdded } from "./placeAdded";
import { boxesOf, isBelow, outline, titleHeight } from "./placement";
import { type Around, type Shoved, shoved } from "./shove";
import { type Chain, tightChain } from "./tightChain";

export interface PlacedBeforeEnds {
  /** Of the new nodes. */
  positions: ReadonlyMap<NodeId, Point>;
  /** Of those that make room. */
  ends: ReadonlyMap<NodeId, Point>;
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

/** As `placeAdded`; `held` are nodes that stay where they are. */
export function placeBeforeEnds(
  graph: Graph,
  added: Added,
  held: ReadonlySet<NodeId> = new Set(),
): PlacedBeforeEnds {
  return placedIn(graph, added, { held, batch: added });
}

function placedIn(graph: Graph, added: Added, whole: Whole): PlacedBeforeEnds {
  const positions = placeAdded(graph, added);
  const none = { positions, ends: new Map(), groups: new Map() };
  if ([...added.values()].some((box) => box)) {
    const replacing = new Map([...added].filter(([, box]) => box));
    if (replacing.size < added.size) return afterReplacing(graph, added, replacing, whole);
    return none;
  }
  const chain = tightChain(graph, added, positions, whole);
  const room = chain && (inColumn(graph, added, chain, whole) ?? inRow(graph, added, chain, whole));
  return room ? aroundRoom(graph, added, room, whole) : none;
}

/** Those that take the place of others come first: they have theirs. */
function afterReplacing(graph: Graph, added: Added, replacing: Added, whole: Whole): PlacedBeforeEnds {
  const others = new Map([...added].filter(([id]) => !replacing.has(id)));
  const nodes = graph.nodes.filter(({ id }) => !others.has(id));
  const first = placeAdded({ ...graph, nodes }, replacing);
  const rest = placedIn(moved(graph, { positions: first, frames: new Map() }), others, whole);
  return { ...rest, positions: new Map([...first, ...rest.positions]) };
}

/** Then the other new nodes around them. */
function aroundRoom(graph: Graph, added: Added, { news, ...room }: Roomy, whole: Whole): PlacedBeforeEnds {
  const positions = new Map(
    [...news].map(([id, { x, y }]): [NodeId, Point] => [id, { x, y: y + titleHeight }]),
  );
  const all = new Map([...room.positions, ...positions]);
  const others = new Map([...added].filter(([id]) => !news.has(id)));
  const rest =
    others.size > 0
      ? placedIn(moved(graph, { positions: all, frames: room.frames }), others, whole)
      : { positions: new Map(), ends: new Map(), groups: new Map() };
  const places = new Map([...all, ...rest.positions, ...rest.ends]);
  const isNew = (id: NodeId) => whole.batch.has(id);
  return {
    positions: new Map([...places].filter(([id]) => isNew(id))),
    ends: new Map([...places].filter(([id]) => !isNew(id))),
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
  if (nodes.size > 1 && torn.size === 0) return undefined;
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
function withRoom(
  graph: Graph,
  { news, by, after, before }: Opening,
  around: Omit<Around, "news">,
): Roomy | undefined {
  const idsOf = (some: readonly GraphNode[]) => new Set(some.map(({ id }) => id));
  const on = shoved(graph, idsOf(after), by, { ...around, news });
  if (on && on.positions.size <= fewMoved) return { ...on, news };
  const newsBack = new Map([...news].map(([id, box]) => [id, { ...box, x: box.x - by.x, y: box.y - by.y }]));
  const back = shoved(graph, idsOf(before), { x: -by.x, y: -by.y }, { ...around, news: newsBack });
  if (back && !(on && on.positions.size <= back.positions.size)) return { ...back, news: newsBack };
  return on && { ...on, news };
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
  const news = new Map([...boxesOf(graph.nodes, places)].filter(([id]) => nodes.has(id)));
  const edge = (node: GraphNode) =>
    Math.max(
      ...sourcesOf(node)
        .flatMap((id) => news.get(id) ?? [])
        .map(({ x, width }) => x + width),
    );
  const wanted = Math.max(...heads.map((head) => edge(head) + columnGap - head.position.x));
  if (wanted <= 0) return { positions: new Map(), frames: new Map(), news };
  const by = Math.ceil(wanted / grid) * grid;
  return withRoom(
    graph,
    { news, by: { x: by, y: 0 }, after: heads, before: sources },
    { held, added, torn: new Set(within), homes },
  );
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

function moved(graph: Graph, { positions, frames }: Shoved): Graph {
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
