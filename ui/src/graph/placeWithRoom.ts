/** Places for new nodes; where there is no room for them before what they feed, room is made. */

import { givesModel } from "./alikeNodes";
import { arrange } from "./arrange";
import { frameHeading, framePadding } from "./frames";
import { wayClear } from "./freePlace";
import {
  findNode,
  type Graph,
  type GraphGroup,
  type GraphNode,
  type NodeId,
  type Point,
  type Rectangle,
} from "./graph";
import { framesJoined } from "./joinFrames";
import { fedBy, sourcesOf } from "./newNodes";
import { notesAt } from "./notes";
import { placeAdded } from "./placeAdded";
import { bounds, boxesOf, drawn, isBelow, outline, overlaps, shifted, titleHeight } from "./placement";
import { type Placed, withPlaces } from "./placeReplacing";
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

/** Those without a place. */
type Added = ReadonlyMap<NodeId, undefined>;

export interface Fixed {
  /** What stays where it is. */
  held?: ReadonlySet<NodeId>;
  /** Those that took the place of others. */
  ends?: ReadonlySet<NodeId>;
}

interface Whole extends Required<Fixed> {
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
/** Further than this nothing is pushed down a column, nor for a row if it can go elsewhere by a way that is so many times shorter. */
const mostPushed = 600;
const worthAWay = 2;
/** So far from the level of what feeds them those stand that run beside each other. */
const mostAside = 100;
/** So many make room below a column that goes on; its nodes begin so near to each other. */
const mostBelow = 12;
const sameColumn = 20;
/** What moves goes by so much further than it has to at most; a higher node does not come into a column alone. */
const mostMore = 200;
const mostInColumn = 220;
/** What is wider than so much of what stands in a column does not come into it. */
const mostOfColumn = 2;

/** As `placeAdded`, for nodes of which none takes the place of another. */
export function placeWithRoom(
  graph: Graph,
  added: Added,
  { held = new Set(), ends = new Set() }: Fixed = {},
): PlacedWithRoom {
  const placed = placedIn(graph, added, { held, ends, batch: added });
  const positions = new Map([...placed.positions, ...placed.moved]);
  const after = withPlaces(graph, { positions, frames: placed.groups });
  return { ...placed, groups: new Map([...placed.groups, ...framesJoined(after, new Set(added.keys()))]) };
}

function placedIn(graph: Graph, added: Added, whole: Whole): PlacedWithRoom {
  const stacked = inStack(graph, added, whole);
  if (stacked) return aroundRoom(graph, added, stacked, whole);
  const positions = placeAdded(graph, added, { ends: whole.ends });
  for (const chain of tightChains(graph, added, positions, whole)) {
    const room = inColumn(graph, added, chain, whole) ?? inRow(graph, added, chain, whole);
    if (room && !(chain.isFar && room.positions.size > fewMoved))
      return aroundRoom(graph, added, outOfRow(graph, added, chain, room) ?? room, whole);
  }
  return { positions, moved: new Map(), groups: new Map() };
}

/** Then the other new nodes around them. */
function aroundRoom(graph: Graph, added: Added, { news, ...room }: Roomy, whole: Whole): PlacedWithRoom {
  const positions = new Map(
    [...news].map(([id, { x, y }]): [NodeId, Point] => [id, { x, y: y + titleHeight }]),
  );
  const first = { positions: new Map([...room.positions, ...positions]), frames: room.frames };
  const isNew = (id: NodeId) => whole.batch.has(id);
  return thenOthers(graph, added, first, (after, open) => placedIn(after, open, whole), isNew);
}

/** What has its place, and around that those of `added` that have none yet. */
export function thenOthers(
  graph: Graph,
  added: Added,
  first: Placed,
  placeOthers: (graph: Graph, added: Added) => PlacedWithRoom,
  isNew = (id: NodeId) => added.has(id),
): PlacedWithRoom {
  const others = new Map([...added].filter(([id]) => !first.positions.has(id)));
  const rest = others.size > 0 ? placeOthers(withPlaces(graph, first), others) : undefined;
  const places = new Map([...first.positions, ...(rest?.positions ?? []), ...(rest?.moved ?? [])]);
  return {
    positions: new Map([...places].filter(([id]) => isNew(id))),
    moved: new Map([...places].filter(([id]) => !isNew(id))),
    groups: new Map([...first.frames, ...(rest?.groups ?? [])]),
  };
}

/** In a column, under what feeds them, in its group or alone: what they feed moves down, or what feeds them up. */
function inColumn(
  graph: Graph,
  added: Added,
  { nodes, sources, heads }: Chain,
  { held }: Whole,
): Roomy | undefined {
  const isUnder = (head: GraphNode) => (source: GraphNode) => isBelow(outline(source), outline(head));
  const [head, ...others] = heads.filter((each) => sources.some(isUnder(each)));
  const source = head && sources.find(isUnder(head));
  if (!head || !source || others.length > 0) return undefined;
  const torn = new Set(groupsOf(graph, [head]).filter((group) => group.nodes.includes(source.id)));
  const isSmall =
    nodes.size === 1 &&
    graph.nodes.every((node) => !nodes.has(node.id) || outline(node).height <= mostInColumn);
  const isWide = graph.nodes.some(
    ({ id, size }) => nodes.has(id) && size.width > mostOfColumn * head.size.width,
  );
  if (isWide || (!isSmall && torn.size === 0)) return undefined;
  const at = outline(head);
  let y = at.y;
  const news = new Map<NodeId, Rectangle>();
  for (const node of graph.nodes.filter(({ id }) => nodes.has(id))) {
    const box = { ...outline(node), x: at.x, y };
    news.set(node.id, box);
    y += box.height + rowGap;
  }
  const by = { x: 0, y: y - at.y };
  const right = Math.max(...[...news.values()].map(({ x, width }) => x + width)) + rowGap;
  const isTight = heads.some((each) => each !== head && each.position.x < right);
  if (by.y > mostPushed || isTight) return undefined;
  return withRoom(graph, { news, by, after: [head], before: [source] }, { held, added, torn, homes: torn });
}

/** Under what feeds it, where that stands so under what feeds it: what is below goes down, and its groups grow. */
function inStack(graph: Graph, added: Added, { held }: Whole): Roomy | undefined {
  for (const node of graph.nodes) {
    const source = added.has(node.id) ? stackedSource(graph, added, node) : undefined;
    if (!source) continue;
    const above = outline(source);
    const box = { ...outline(node), x: above.x, y: above.y + above.height + rowGap };
    const homes = new Set(groupsOf(graph, [source]));
    const opening = {
      ...{ news: new Map([[node.id, box]]), by: { x: 0, y: box.height + rowGap } },
      ...{ after: [], before: [source] },
    };
    const room = opened(graph, opening, { held, added, torn: homes, homes }, 1);
    if (room && room.positions.size <= mostBelow) return room;
  }
  return undefined;
}

/** What alone feeds a new node that changes a model, if it is the last of such a column in one group. */
function stackedSource(graph: Graph, added: Added, node: GraphNode): GraphNode | undefined {
  const [source, ...others] = sourcesOf(node).map((id) => findNode(graph, id));
  if (!source || others.length > 0 || added.has(source.id) || !givesModel(node)) return undefined;
  const isOver = (one: GraphNode, other: GraphNode) =>
    Math.abs(one.position.x - other.position.x) <= sameColumn &&
    isBelow(outline(one), outline(other)) &&
    graph.groups.some(({ nodes }) => nodes.includes(one.id) && nodes.includes(other.id));
  const isStacked = sourcesOf(source).some((id) => {
    const above = findNode(graph, id);
    return above && isOver(above, source);
  });
  const targets = graph.nodes.filter((other) => sourcesOf(other).includes(node.id));
  return isStacked && !targets.some((target) => isOver(source, target)) ? source : undefined;
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
function inRow(graph: Graph, added: Added, chain: Chain, whole: Whole): Roomy | undefined {
  const { heads, sources } = chain;
  const within = groupsOf(graph, heads).filter((group) => sources.some(({ id }) => group.nodes.includes(id)));
  const ahead = aheadOf(graph, heads, new Set(within));
  const first = inRowBefore(ahead, graph, added, chain, whole);
  // What goes on to the right leaves its place to them, too.
  const on = graph.nodes.filter(
    ({ id, position }) => (first?.positions.get(id)?.x ?? position.x) > position.x,
  );
  const all = new Set([...ahead, ...on.map(({ id }) => id)]);
  const second = first && all.size > ahead.size ? inRowBefore(all, graph, added, chain, whole) : undefined;
  const isBetter =
    second &&
    second.positions.size <= (first?.positions.size ?? 0) &&
    on.every(({ id }) => second.positions.has(id));
  return isBetter ? second : first;
}

/** One chain between two nodes, in a row below or above, where room between them moves much more than the way is long. */
function outOfRow(
  graph: Graph,
  added: Added,
  { nodes, sources: [source, ...otherSources], heads: [head, ...otherHeads] }: Chain,
  { positions: moved }: Roomy,
): Roomy | undefined {
  if (!source || !head || otherSources.length + otherHeads.length > 0) return undefined;
  const pushed = graph.nodes.map(({ id, position }) =>
    Math.abs((moved.get(id)?.x ?? position.x) - position.x),
  );
  const far = Math.max(...pushed);
  if (far <= mostPushed) return undefined;
  const own = graph.nodes.filter(({ id }) => nodes.has(id));
  const apart = own.map((node) => ({ ...node, position: { x: 0, y: 0 } }));
  const inner = boxesOf(own, arrange({ ...graph, nodes: apart, groups: [] }, [...nodes]).positions);
  const whole = bounds([...inner.values()]);
  const { x: left, y: level } = outline(source);
  const x = Math.max(left, head.position.x - columnGap - whole.width);
  const obstacles = [
    ...graph.nodes.filter(({ id }) => !added.has(id)).map(drawn),
    ...graph.groups.flatMap((group) => group.bounds ?? []),
  ];
  const [place] = obstacles
    .flatMap((other) => [other.y + other.height + 2 * rowGap, other.y - 2 * rowGap - whole.height])
    .map((y) => ({ ...whole, x, y: Math.round(y) }))
    .filter((box) => !obstacles.some((other) => overlaps(box, other, rowGap)))
    .sort((one, other) => Math.abs(one.y - level) - Math.abs(other.y - level));
  if (!place || far * moved.size <= worthAWay * (2 * Math.abs(place.y - level) + whole.width))
    return undefined;
  const by = { x: place.x - whole.x, y: place.y - whole.y };
  const news = new Map([...inner].map(([id, box]) => [id, shifted(box, by)]));
  return { positions: new Map(), frames: new Map(), news };
}

/** In the room that is there without what is `ahead`. */
function inRowBefore(
  ahead: ReadonlySet<NodeId>,
  graph: Graph,
  added: Added,
  { nodes, sources, heads, lanes }: Chain,
  { held }: Whole,
): Roomy | undefined {
  const within = groupsOf(graph, heads).filter((group) => sources.some(({ id }) => group.nodes.includes(id)));
  const areModels =
    sources.every(givesModel) && graph.nodes.every((node) => !nodes.has(node.id) || givesModel(node));
  const homes = new Set([...within, ...(areModels ? groupsOf(graph, sources) : [])]);
  const open = {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => !ahead.has(id) && (nodes.has(id) || !added.has(id))),
    groups: graph.groups.filter(
      (group) => !homes.has(group) && (group.nodes.length === 0 || !group.nodes.every((id) => ahead.has(id))),
    ),
  };
  const inRoom = () => {
    const places = placeAdded(open, new Map([...nodes].map((id) => [id, undefined])), { hasBranches: false });
    const boxes = new Map([...boxesOf(graph.nodes, places)].filter(([id]) => nodes.has(id)));
    return withinFrames(
      underOthers(open, boxes),
      [...homes],
      boxesOf(open.nodes.filter(({ id }) => !nodes.has(id))),
    );
  };
  const news = inLanes(open, lanes) ?? inRoom();
  const edge = (node: GraphNode) =>
    Math.max(
      ...sourcesOf(node)
        .flatMap((id) => news.get(id) ?? [])
        .map(({ x, width }) => x + width),
    );
  const wanted = Math.max(...heads.map((head) => edge(head) + columnGap - head.position.x));
  if (wanted <= 0)
    return isFreeFor(news, graph, added) ? { positions: new Map(), frames: new Map(), news } : undefined;
  const by = Math.ceil(wanted / grid) * grid;
  const opening = { news, by: { x: by, y: 0 }, after: heads, before: sources };
  const torn = new Set(within);
  return (
    withRoom(graph, opening, { held, added, torn, homes }) ??
    withRoom(graph, opening, { held, added, torn, homes: torn })
  );
}

/** What had to go far up or down beside what feeds it stands under another that feeds the same, further right, where that is free. */
function underOthers(
  { nodes, groups }: Graph,
  news: ReadonlyMap<NodeId, Rectangle>,
): ReadonlyMap<NodeId, Rectangle> {
  const places = new Map(news);
  for (const node of nodes) {
    const box = places.get(node.id);
    const levels = sourcesOf(node).flatMap((id) => {
      const source = findNode({ nodes }, id);
      return source ? [outline(source).y] : [];
    });
    if (!box || givesModel(node) || levels.some((y) => Math.abs(y - box.y) <= mostAside)) continue;
    const targets = targetsOf(node);
    const beside = nodes.flatMap((other) => {
      const there = places.get(other.id);
      const isLater = there && there.x >= box.x + box.width;
      return isLater && targets.length > 0 && targets.every((id) => targetsOf(other).includes(id))
        ? [there]
        : [];
    });
    const [lowest] = beside.sort((one, other) => other.y - one.y);
    if (!lowest) continue;
    const place = { ...box, x: lowest.x, y: lowest.y + lowest.height + rowGap };
    const others = [
      ...nodes.flatMap((each) => (each === node ? [] : [places.get(each.id) ?? drawn(each)])),
      ...groups.flatMap((group) => group.bounds ?? []),
    ];
    if (!others.some((other) => overlaps(place, other, grid))) places.set(node.id, place);
  }
  return places;
}

function targetsOf({ outputs }: GraphNode): NodeId[] {
  return outputs.flatMap(({ linkedTo }) => linkedTo.map(({ node }) => node));
}

/** Each at the level of what feeds it, one under the other, all of them a little up or down where something is in the way. */
function inLanes(
  { nodes, groups }: Graph,
  lanes: readonly (readonly NodeId[])[],
): ReadonlyMap<NodeId, Rectangle> | undefined {
  const rows = lanes.map((lane) => nodes.filter(({ id }) => lane.includes(id)));
  const sources = rows.map(([first]) => findNode({ nodes }, sourcesOf(first)[0] ?? ""));
  const left = Math.max(
    ...sources.flatMap((source) => (source ? [outline(source)] : [])).map(({ x, width }) => x + width),
  );
  const boxes = new Map<NodeId, Rectangle>();
  let bottom = Number.NEGATIVE_INFINITY;
  for (const [index, row] of rows.entries()) {
    const source = sources[index];
    if (!source) return undefined;
    const y = Math.max(outline(source).y, bottom + rowGap);
    let x = left + columnGap;
    for (const node of row) {
      const box = { ...outline(node), x, y };
      boxes.set(node.id, box);
      x += box.width + columnGap;
      bottom = Math.max(bottom, y + box.height);
    }
  }
  const others = [
    ...nodes.filter(({ id }) => !boxes.has(id)).map(drawn),
    ...groups.flatMap((group) => group.bounds ?? []),
  ];
  const isNear = ({ x, y }: Point) => x === 0 && Math.abs(y) <= mostAside;
  const by = wayClear([...boxes.values()], others, { gap: grid, fits: isNear });
  return by && boxes.size > 0 ? new Map([...boxes].map(([id, box]) => [id, shifted(box, by)])) : undefined;
}

function isFreeFor(news: ReadonlyMap<NodeId, Rectangle>, { nodes }: Graph, added: Added): boolean {
  const others = nodes.filter(({ id }) => !added.has(id)).map(drawn);
  return [...news.values()].every((box) => !others.some((other) => overlaps(box, other)));
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

function groupsOf({ groups }: Graph, nodes: readonly GraphNode[]): GraphGroup[] {
  return groups.filter((group) => nodes.some(({ id }) => group.nodes.includes(id)));
}
