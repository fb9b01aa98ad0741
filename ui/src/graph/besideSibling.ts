/** A further branch behind some like it, which repeat to the right or down: it stands beside the last of them as they do, or under the only one. */

import { isLoader, twinsOf } from "./alikeNodes";
import { frameAround } from "./frames";
import { findNode, type Graph, type GraphNode, type NodeId, type Point, type Rectangle } from "./graph";
import { makeRoom } from "./makeRoom";
import { sourcesOf } from "./newNodes";
import { bounds, drawn, outline, overlaps, shifted, titleHeight } from "./placement";
import { type Placed, withPlaces } from "./placeReplacing";
import { parts } from "./placingOrder";
import { runsBack } from "./wires";

const rowGap = 20;
const mostGap = 60;
/** More than so many do not make room. */
const mostMoved = 24;

type Added = ReadonlyMap<NodeId, undefined>;

/** What is there, by what is new and like it. */
type Sibling = ReadonlyMap<NodeId, GraphNode>;

/** Places for the nodes of one such branch, and for what makes room; undefined where there is none. */
export function besideSibling(graph: Graph, added: Added, held: ReadonlySet<NodeId>): Placed | undefined {
  for (const part of parts(graph, [...added.keys()])) {
    const inChain = chainedBranches(graph, added, part);
    const [last, before] = inChain.length > 1 ? inChain : parallelBranches(graph, added, part);
    const only = last ? undefined : joiningBranch(graph, added, part);
    const way = last && before ? wayBetween(before, last) : under;
    const sibling = last ?? only;
    const placed = sibling && way && behind(graph, added, sibling, way);
    const others = [...(placed?.positions.keys() ?? [])].filter((id) => !added.has(id));
    if (placed && others.length <= mostMoved && !others.some((id) => held.has(id))) return placed;
  }
  return undefined;
}

/** Those behind one another, each with all that leads to it, the last first. */
function chainedBranches(graph: Graph, added: Added, part: readonly NodeId[]): Sibling[] {
  const heads = part.flatMap((id) => {
    const chain = chainBefore(graph, added, id);
    return chain.length > 0 ? [{ id, chain }] : [];
  });
  const siblings: Sibling[] = [];
  for (let index = 0; heads.length > 0; index++) {
    const ends = heads.flatMap(({ id, chain }): [NodeId, GraphNode][] => {
      const end = chain[index];
      return end ? [[id, end]] : [];
    });
    const sibling = ends.length === heads.length ? withSources(graph, added, new Map(ends)) : undefined;
    if (!sibling || sibling.size === heads.length) break;
    siblings.push(sibling);
  }
  return siblings;
}

/** Old nodes of its type that lead to it one behind the other, the last first. */
function chainBefore(graph: Graph, added: Added, id: NodeId): GraphNode[] {
  const chain: GraphNode[] = [];
  for (let node = findNode(graph, id); node; ) {
    const { type } = node;
    node = sourcesOf(node)
      .flatMap((source) => findNode(graph, source) ?? [])
      .find((source) => source.type === type && !added.has(source.id) && !chain.includes(source));
    if (node) chain.push(node);
  }
  return chain;
}

/** Those that begin where a new one does and go on alike in one frame, or none: the rightmost or lowest first. */
function parallelBranches(graph: Graph, added: Added, part: readonly NodeId[]): Sibling[] {
  for (const id of part) {
    const node = findNode(graph, id);
    const sources = sourcesOf(node);
    if (!node || sources.length === 0) continue;
    const old = { ...graph, nodes: graph.nodes.filter((other) => !added.has(other.id)) };
    const all = twinsOf(old, node).map((twin) => withTargets(graph, added, new Map([[id, twin]])));
    const most = Math.max(...all.map(({ size }) => size));
    const frames = Map.groupBy(
      all.filter(({ size }) => size === most),
      (sibling) => framesOf(graph, sibling.get(id)?.id).join(),
    );
    const [alike = [], ...others] = [...frames.values()];
    if (alike.length < 2 || others.length > 0) continue;
    const middles = alike.map((sibling) => ({ sibling, ...bounds([...sibling.values()].map(drawn)) }));
    const whole = bounds(middles.map(({ x, y }) => ({ x, y, width: 0, height: 0 })));
    const along = whole.width > whole.height ? "x" : "y";
    return middles.sort((one, other) => other[along] - one[along]).map(({ sibling }) => sibling);
  }
  return [];
}

/** The lowest whose ends feed what the new ones feed, where all of them have their like in it; loaders have a column of their own. */
function joiningBranch(graph: Graph, added: Added, part: readonly NodeId[]): Sibling | undefined {
  if (graph.nodes.some((node) => part.includes(node.id) && isLoader(node))) return undefined;
  const ends = part.flatMap((id): [NodeId, GraphNode][] => {
    const node = findNode(graph, id);
    const targets = node?.outputs.flatMap(({ linkedTo }) => linkedTo.map((to) => to.node)) ?? [];
    const [lowest] = targets
      .flatMap((target) => (part.includes(target) ? [] : sourcesOf(findNode(graph, target))))
      .flatMap((source) => findNode(graph, source) ?? [])
      .filter((other) => other.type === node?.type && !added.has(other.id))
      .sort((one, other) => other.position.y - one.position.y);
    return lowest ? [[id, lowest]] : [];
  });
  const sibling = withSources(graph, added, new Map(ends));
  return sibling?.size === part.length ? sibling : undefined;
}

function framesOf({ groups }: Graph, id: NodeId | undefined): number[] {
  return groups.flatMap(({ bounds: frame, nodes }, index) =>
    frame && id && nodes.includes(id) ? [index] : [],
  );
}

/** And what new nodes lead to that nothing else new leads to, as far as that is there. */
function withTargets(graph: Graph, added: Added, begin: Sibling): Sibling {
  const sibling = new Map(begin);
  for (const [id, old] of sibling)
    for (const { name, node } of findNode(graph, id)?.outputs.flatMap(({ linkedTo }) => linkedTo) ?? []) {
      const target = findNode(graph, node);
      const news = sourcesOf(target).filter((source) => added.has(source));
      if (!target || !added.has(node) || news.some((source) => !sibling.has(source))) continue;
      const own = old.outputs
        .flatMap(({ linkedTo }) => linkedTo.filter((to) => to.name === name))
        .flatMap((to) => findNode(graph, to.node) ?? [])
        .find(({ id: other, type }) => type === target.type && !added.has(other));
      if (own) sibling.set(node, own);
    }
  return sibling;
}

/** Undefined where other nodes lead to what is there. */
function withSources(graph: Graph, added: Added, ends: Sibling): Sibling | undefined {
  const sibling = new Map(ends);
  for (const [id, old] of sibling)
    for (const { name, linkedFrom } of findNode(graph, id)?.inputs ?? []) {
      if (!linkedFrom || !added.has(linkedFrom.node)) continue;
      const own = old.inputs.find((input) => input.name === name)?.linkedFrom;
      const source = own && findNode(graph, own.node);
      const known = sibling.get(linkedFrom.node) ?? source;
      const isAlike = source?.type === findNode(graph, linkedFrom.node)?.type && known === source;
      if (!source || !isAlike || added.has(source.id)) return undefined;
      sibling.set(linkedFrom.node, source);
    }
  return sibling;
}

interface Way {
  isAcross: boolean;
  gap: number;
}

const under: Way = { isAcross: false, gap: rowGap };

function behind(graph: Graph, added: Added, last: Sibling, way: Way): Placed | undefined {
  const [positions, frames] = [new Map<NodeId, Point>(), new Map<number, Rectangle>()];
  let after = graph;
  for (const [homes, some] of inFrames(graph, last)) {
    const nodes = after.nodes.filter(({ id }) => !added.has(id) || positions.has(id));
    const placed = besideThese({ ...after, nodes }, graph, { some, homes, way });
    if (!placed) return undefined;
    for (const [id, position] of placed.positions) positions.set(id, position);
    for (const [index, frame] of placed.frames) frames.set(index, frame);
    after = withPlaces(after, placed);
  }
  return { positions, frames };
}

/** In the direction in which the last one follows that before it. */
function wayBetween(before: Sibling, last: Sibling): Way | undefined {
  const [was, now] = [bounds([...before.values()].map(drawn)), bounds([...last.values()].map(drawn))];
  const by = { x: now.x + now.width - was.x - was.width, y: now.y + now.height - was.y - was.height };
  const isAcross = Math.abs(by.x) > Math.abs(by.y);
  const apart = isAcross ? now.x - was.x - was.width : now.y - was.y - was.height;
  const gap = Math.max(rowGap, Math.min(apart, mostGap));
  return (isAcross ? by.x : by.y) > 0 ? { isAcross, gap } : undefined;
}

/** Those together that are in the same frames, but for frames that only they are in. */
function inFrames({ nodes, groups }: Graph, sibling: Sibling): [readonly number[], Sibling][] {
  const own = new Set([...sibling.values()].map(({ id }) => id));
  const others = nodes.filter(
    ({ id, inputs, outputs }) => !own.has(id) && inputs.length + outputs.length > 0,
  );
  const homesOf = (id: NodeId) =>
    groups.flatMap((group, index) => {
      const isHome = group.nodes.includes(id) && others.some((other) => group.nodes.includes(other.id));
      return group.bounds && isHome ? [index] : [];
    });
  const together = Map.groupBy(sibling, ([, { id }]) => homesOf(id).join());
  return [...together.values()].map((some) => [homesOf(some[0]?.[1].id ?? ""), new Map(some)]);
}

interface Cluster {
  some: Sibling;
  homes: readonly number[];
  way: Way;
}

/** `graph` has what has its place by now, and `whole` the new nodes, too. Frames are kept clear of, new ones among them. */
function besideThese(
  graph: Graph,
  whole: Graph,
  { some, homes: indices, way: { isAcross, gap } }: Cluster,
): Placed | undefined {
  const homes = indices.flatMap((index) => graph.groups[index] ?? []);
  const there = new Map(graph.nodes.map((node) => [node.id, drawn(node)]));
  const ids = [...some.values()].map(({ id }) => id);
  const has = (members: readonly NodeId[]) => members.some((id) => ids.includes(id));
  const from = bounds([
    ...ids.flatMap((id) => there.get(id) ?? []),
    ...graph.groups.flatMap((group) =>
      has(group.nodes) && !homes.includes(group) ? (group.bounds ?? []) : [],
    ),
  ]);
  const alike = spread(
    [...some].flatMap(([id, old]) => {
      const [node, box] = [findNode(whole, id), there.get(old.id)];
      return node && box ? [[id, { ...outline(node), x: box.x, y: box.y }] as const] : [];
    }),
  );
  const framed = graph.groups.flatMap(({ bounds: frame, nodes }) => {
    const inner = nodes.flatMap((id) => alike.get(id) ?? []);
    return frame || inner.length === 0 ? [] : [frameAround(inner)];
  });
  const own = bounds([...alike.values(), ...framed]);
  const by = isAcross
    ? { x: from.x + from.width + gap - own.x, y: 0 }
    : { x: 0, y: from.y + from.height + gap - own.y };
  const news = new Map([...alike].map(([id, box]) => [id, shifted(box, by)]));
  const rightOf = new Map<NodeId, number>();
  for (const [id, old] of some) {
    const [box, was] = [news.get(id), there.get(old.id)];
    for (const { node } of findNode(whole, id)?.outputs.flatMap(({ linkedTo }) => linkedTo) ?? []) {
      const target = there.get(node);
      if (box && was && target && !runsBack(was, target))
        rightOf.set(node, Math.max(box.x + box.width, rightOf.get(node) ?? box.x));
    }
  }
  const to = bounds([from, shifted(own, by)]);
  const room = makeRoom(graph, { from, to, homes, rightOf });
  const after = withPlaces(graph, room);
  const obstacles = [
    ...after.nodes.map(drawn),
    ...after.groups.flatMap((group, index) => (indices.includes(index) ? [] : (group.bounds ?? []))),
  ];
  if ([...news.values()].some((box) => obstacles.some((other) => overlaps(box, other)))) return undefined;
  const places = [...news].map(([id, { x, y }]): [NodeId, Point] => [id, { x, y: y + titleHeight }]);
  return { positions: new Map([...room.positions, ...places]), frames: room.frames };
}

/** What would lie on one above it goes down. */
function spread(boxes: readonly (readonly [NodeId, Rectangle])[]): Map<NodeId, Rectangle> {
  const clear = new Map<NodeId, Rectangle>();
  for (const [id, box] of boxes.toSorted(([, one], [, other]) => one.y - other.y)) {
    let { y } = box;
    for (const above of clear.values())
      if (overlaps({ ...box, y }, above)) y = above.y + above.height + rowGap;
    clear.set(id, { ...box, y });
  }
  return clear;
}
