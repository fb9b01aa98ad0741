/** The tails of a workflow: what new nodes feed that leads only to ends, and is moved on as a whole. */

import type { Graph, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { boxesOf } from "./placement";
import { runsBack } from "./wires";

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

/** `batch` are all new nodes, `added` those of them without a place. Fed by what was there through new ones, right of all that fed them so far, and not right of new ones that feed them. */
export function tailsBehind(
  graph: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  positions: ReadonlyMap<NodeId, Point>,
  { held, batch }: { held: ReadonlySet<NodeId>; batch: ReadonlyMap<NodeId, unknown> },
): Tails {
  const boxes = drawnBoxes(graph, added, positions);
  const found = graph.nodes
    .filter(({ id }) => !added.has(id))
    .filter((node) => isMetBack(graph, batch, boxes, node));
  const behind = new Map(found.map((head) => [head.id, fedBy(graph, head.id)]));
  const later = new Set([...behind.values()].flatMap((ids) => [...ids].filter((id) => added.has(id))));
  const heads = found.filter((head) => sourcesOf(head).some((id) => added.has(id) && !later.has(id)));
  const parts: Set<NodeId>[] = [];
  for (const head of heads) {
    const part = new Set([head.id, ...[...(behind.get(head.id) ?? [])].filter((id) => !added.has(id))]);
    for (const other of parts.filter((each) => meets(each, part))) {
      parts.splice(parts.indexOf(other), 1);
      for (const id of other) part.add(id);
    }
    parts.push(part);
  }
  const tails = parts
    .map((part) => ({
      part,
      nodes: graph.nodes.filter(({ id }) => part.has(id)),
      heads: heads.filter(({ id }) => part.has(id)),
    }))
    .filter(
      ({ part, nodes }) => nodes.length === part.size && nodes.length <= mostNodes && !meets(part, held),
    );
  const early = new Map([...added].filter(([id]) => !later.has(id)));
  const met = metBackwards(
    graph,
    early,
    tails.flatMap((tail) => tail.heads.flatMap(sourcesOf)),
  );
  return { tails, before: new Set([...met].filter((id) => early.has(id))) };
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
  const boxes = boxesOf(nodes, positions);
  for (const { id, size } of nodes) {
    const box = boxes.get(id);
    if (box && !added.has(id)) boxes.set(id, { ...box, width: size.width });
  }
  return boxes;
}

function isMetBack(
  graph: Graph,
  batch: ReadonlyMap<NodeId, unknown>,
  boxes: ReadonlyMap<NodeId, Rectangle>,
  node: GraphNode,
): boolean {
  const isBack = (source: NodeId) => {
    const from = boxes.get(source);
    return from !== undefined && runsBack(from, node.position);
  };
  const sources = sourcesOf(node);
  const news = sources.filter((source) => batch.has(source));
  const oldOf = (ids: readonly NodeId[]) =>
    [...metBackwards(graph, batch, ids)].filter((id) => !batch.has(id));
  const chain = [...metBackwards(graph, batch, news)].filter((id) => batch.has(id));
  const isPutBack = news.some(isBack) || chain.some((id) => isFedBackwards(graph, id, boxes));
  return isPutBack && oldOf(news).length > 0 && !oldOf(sources).some(isBack);
}

function isFedBackwards(graph: Graph, id: NodeId, boxes: ReadonlyMap<NodeId, Rectangle>): boolean {
  const [node, place] = [graph.nodes.find((each) => each.id === id), boxes.get(id)];
  return (
    node !== undefined &&
    place !== undefined &&
    sourcesOf(node).some((source) => {
      const from = boxes.get(source);
      return from !== undefined && runsBack(from, place);
    })
  );
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
