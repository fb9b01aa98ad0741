/** The tails of a workflow: what new nodes feed that leads only to ends, and is moved on as a whole. */

import type { Graph, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { boxesOf, drawn } from "./placement";

export interface Tail {
  /** All that moves, in the order of the graph. */
  nodes: readonly GraphNode[];
  /** Those of them that new nodes feed which come before all of it. */
  heads: readonly GraphNode[];
}

export interface Tails {
  tails: readonly Tail[];
  /** The new nodes that come before them. */
  before: ReadonlySet<NodeId>;
}

/** A decoder, what saves its picture and what shows it; what is longer is no end. */
const mostNodes = 4;
/** What stands below the node that feeds it lies no further back than that is wide. */
const mostBack = 500;
/** One new node before it has two wires that run back as far; of more it need not put up with it. */
const mostOfAll = 2;

/**
 * Fed by what was there through new ones, for which there is no room before them: the longest first, then, for where these
 * cannot move, what is left of them nearer to the ends. `batch` are all new nodes, `added` those of them without a place.
 */
export function* tailsBehind(
  graph: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  positions: ReadonlyMap<NodeId, Point>,
  { held, batch }: { held: ReadonlySet<NodeId>; batch: ReadonlyMap<NodeId, unknown> },
): Generator<Tails> {
  const boxes = drawnBoxes(graph, added, positions);
  const behind = new Map(
    graph.nodes
      .filter((node) => !added.has(node.id) && sourcesOf(node).some((id) => added.has(id)))
      .filter((node) => isMetBack(graph, batch, boxes, node))
      .map((head) => [head.id, fedBy(graph, head.id)] as const),
  );
  while (behind.size > 0) {
    const later = new Set([...behind.values()].flatMap((ids) => [...ids].filter((id) => added.has(id))));
    const all = partsOf(graph, added, behind, later);
    if (all.length === 0) return;
    const tails = all.filter(
      ({ part, nodes }) => nodes.length === part.size && nodes.length <= mostNodes && !meets(part, held),
    );
    if (tails.length === all.length) yield { tails, before: feeding(graph, added, later, tails) };
    const failing = tails.length === all.length ? all : all.filter((each) => !tails.includes(each));
    const longest = Math.max(
      ...[...behind].map(([id, ids]) => (failing.some(({ part }) => part.has(id)) ? ids.size : 0)),
    );
    for (const [id, ids] of [...behind])
      if (ids.size === longest && failing.some(({ part }) => part.has(id))) behind.delete(id);
  }
}

/** The new ones that come before the tails. */
function feeding(
  graph: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  later: ReadonlySet<NodeId>,
  tails: readonly Tail[],
): ReadonlySet<NodeId> {
  const early = new Map([...added].filter(([id]) => !later.has(id)));
  const met = metBackwards(
    graph,
    early,
    tails.flatMap((tail) => tail.heads.flatMap(sourcesOf)),
  );
  return new Set([...met].filter((id) => early.has(id)));
}

interface Part extends Tail {
  /** The edge of a subgraph is of it, which is no node. */
  part: ReadonlySet<NodeId>;
}

/** What is behind each of these, those together that have some of it in common. */
function partsOf(
  graph: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  behind: ReadonlyMap<NodeId, ReadonlySet<NodeId>>,
  later: ReadonlySet<NodeId>,
): Part[] {
  const heads = graph.nodes
    .filter(({ id }) => behind.has(id))
    .filter((head) => sourcesOf(head).some((id) => added.has(id) && !later.has(id)));
  const parts: Set<NodeId>[] = [];
  for (const head of heads) {
    const part = new Set([head.id, ...[...(behind.get(head.id) ?? [])].filter((id) => !added.has(id))]);
    for (const other of parts.filter((each) => meets(each, part))) {
      parts.splice(parts.indexOf(other), 1);
      for (const id of other) part.add(id);
    }
    parts.push(part);
  }
  return parts.map((part) => ({
    part,
    nodes: graph.nodes.filter(({ id }) => part.has(id)),
    heads: heads.filter(({ id }) => part.has(id)),
  }));
}

function meets(one: ReadonlySet<NodeId>, other: ReadonlySet<NodeId>): boolean {
  return [...one].some((id) => other.has(id));
}

/** Those that are there are drawn, and end where they end. */
function drawnBoxes(
  { nodes }: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  positions: ReadonlyMap<NodeId, Point>,
): ReadonlyMap<NodeId, Rectangle> {
  return new Map([
    ...boxesOf(nodes, positions),
    ...nodes.flatMap((node) => (added.has(node.id) ? [] : [[node.id, drawn(node)] as const])),
  ]);
}

/** Whether wires of the new ones before it run back further than those that fed it so far, if these ran back. */
function isMetBack(
  graph: Graph,
  batch: ReadonlyMap<NodeId, unknown>,
  boxes: ReadonlyMap<NodeId, Rectangle>,
  node: GraphNode,
): boolean {
  const news = sourcesOf(node).filter((source) => batch.has(source));
  if (news.length === 0) return false;
  const met = [...metBackwards(graph, batch, sourcesOf(node))];
  const chain = graph.nodes.filter(({ id }) => batch.has(id) && met.includes(id));
  const back = (source: NodeId, target: NodeId) => {
    const [from, to] = [boxes.get(source), boxes.get(target)];
    return from && to ? Math.max(0, from.x + from.width - to.x) : 0;
  };
  const before = Math.max(0, ...met.map((id) => (batch.has(id) ? 0 : back(id, node.id))));
  const now = [
    ...news.map((id) => back(id, node.id)),
    ...chain.flatMap((each) => sourcesOf(each).map((source) => back(source, each.id))),
  ];
  const isFedByOld = [...metBackwards(graph, batch, news)].some((id) => !batch.has(id));
  const all = now.reduce((sum, each) => sum + each, 0);
  return isFedByOld && before < mostBack && (Math.max(...now) > before || all > mostOfAll * before);
}

/** All that it leads to; the edge of a subgraph among them. */
function fedBy(graph: Graph, id: NodeId): ReadonlySet<NodeId> {
  const met = new Set<NodeId>();
  const open = [id];
  for (let each = open.pop(); each !== undefined; each = open.pop())
    for (const { linkedTo } of graph.nodes.find((node) => node.id === each)?.outputs ?? [])
      for (const { node } of linkedTo)
        if (!met.has(node)) {
          met.add(node);
          open.push(node);
        }
  return met;
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

export function sourcesOf({ inputs }: GraphNode): NodeId[] {
  return [...new Set(inputs.flatMap(({ linkedFrom }) => linkedFrom?.node ?? []))];
}
