/** New nodes for which there is no room between what feeds them and what they feed. */

import type { Graph, GraphNode, NodeId, Point, Rectangle } from "./graph";
import { fedBy, metBackwards, sourcesOf } from "./newNodes";
import { boxesOf, drawn, isBelow, outline } from "./placement";
import { runsBack } from "./wires";

export interface Chain {
  nodes: ReadonlySet<NodeId>;
  /** What was there and feeds them, and what they feed. */
  sources: readonly GraphNode[];
  heads: readonly GraphNode[];
  /** Whether there is a place for them, only far above or below the others: few nodes are worth moving for it. */
  isFar: boolean;
  /** Of several that run alike from nodes under each other, the new nodes of each, from above to below. */
  lanes: readonly (readonly NodeId[])[];
}

/** So far above or below all that it is linked to a new node is out of the way. */
const far = 250;
/** Nodes of one column begin so near to each other. */
const sameColumn = 20;

/** `batch` are all new nodes, `added` those of them that have no place yet. */
export function tightChains(
  graph: Graph,
  added: ReadonlyMap<NodeId, unknown>,
  positions: ReadonlyMap<NodeId, Point>,
  { batch, held }: { batch: ReadonlyMap<NodeId, unknown>; held: ReadonlySet<NodeId> },
): Chain[] {
  const boxes = drawnBoxes(graph, added, positions);
  const found = graph.nodes.flatMap((head) => {
    if (batch.has(head.id)) return [];
    const met = metBackwards(graph, batch, sourcesOf(head));
    const news = [...met].filter((id) => added.has(id));
    const behind = new Set([head.id, ...news]);
    const sources = graph.nodes.filter(
      ({ id, outputs }) =>
        met.has(id) &&
        !batch.has(id) &&
        outputs.some(({ linkedTo }) => linkedTo.some((to) => news.includes(to.node))),
    );
    const isBack = graph.nodes.some(
      ({ id, inputs }) =>
        behind.has(id) &&
        inputs.some(({ linkedFrom: from }) => from && met.has(from.node) && isTurned(boxes, from.node, id)),
    );
    const isFar = !isBack && news.some((id) => isAside(boxes, id, [head, ...sources]));
    if (news.length === 0 || sources.length === 0) return [];
    return [{ head, news, sources, isFar: !isBack, isTight: isBack || isFar }];
  });
  // From what lies behind the head, the way runs back wherever the new nodes stand.
  const all = found.flatMap((each) => {
    const sources = each.sources.filter(
      (source) => !isTurned(boxes, source.id, each.head.id) || isBelow(outline(source), outline(each.head)),
    );
    return sources.length > 0 ? [{ ...each, sources }] : [];
  });
  const forward = all.filter(({ isTight }) => isTight);
  // What comes behind another head, and what feeds that alone, is placed once this has its place.
  const later = new Set(forward.flatMap(({ head }) => [...fedBy(graph, head.id)]));
  const early = new Map([...added].filter(([id]) => !later.has(id)));
  // Where the batch says itself where one goes, it says where all of it goes.
  if (forward.some(({ head }) => held.has(head.id))) return [];
  const first = all.flatMap(({ head, sources, isFar, isTight }) => {
    const met = [...metBackwards(graph, early, sourcesOf(head))].filter((id) => early.has(id));
    // What only new nodes lead to is placed once these have their places.
    const news = met.filter((id) => [...metBackwards(graph, early, [id])].some((each) => !early.has(each)));
    return news.length > 0 ? [{ head, sources, news, isFar, isTight }] : [];
  });
  const tight = connected(first.filter(({ isTight }) => isTight));
  const loose = first.filter(({ isTight }) => !isTight).map((each) => [each]);
  return withLanes(graph, tight, loose).map(({ some, lanes }) => {
    const nodes = new Set(some.flatMap(({ news }) => news));
    return {
      nodes,
      lanes,
      isFar: some.every(({ isFar }) => isFar),
      sources: [...new Set(some.flatMap(({ sources }) => sources))].filter(
        ({ id, outputs }) =>
          !later.has(id) && outputs.some(({ linkedTo }) => linkedTo.some((to) => nodes.has(to.node))),
      ),
      heads: some.flatMap(({ head }) => (sourcesOf(head).some((id) => nodes.has(id)) ? [head] : [])),
    };
  });
}

/** Those together that have new nodes in common. */
function connected<Each extends { news: readonly NodeId[] }>(all: readonly Each[]): Each[][] {
  const parts: Each[][] = [];
  for (const each of all) {
    const met = parts.filter((part) => part.some(({ news }) => news.some((id) => each.news.includes(id))));
    parts.push([...met.flatMap((part) => parts.splice(parts.indexOf(part), 1).flat()), each]);
  }
  return parts;
}

interface Stretch {
  head: GraphNode;
  news: readonly NodeId[];
  sources: readonly GraphNode[];
}

/** `lanes` are their new nodes where they run alike, from above to below. */
interface Joint<Each> {
  some: readonly Each[];
  lanes: readonly (readonly NodeId[])[];
}

/** Those of each, and with them all that run alike beside it: each of these would take the place of another. */
function withLanes<Each extends Stretch>(
  graph: Graph,
  parts: readonly (readonly Each[])[],
  others: readonly (readonly Each[])[],
): Joint<Each>[] {
  const open = new Set([...parts, ...others]);
  return parts.flatMap((part): Joint<Each>[] => {
    if (!open.delete(part)) return [];
    const lane = laneOf(graph, part);
    const beside = [...open].flatMap((other) => {
      const next = lane && laneOf(graph, other);
      return next && runAlike(lane, next) ? [{ other, next }] : [];
    });
    if (!lane || beside.length === 0) return [{ some: part, lanes: [] }];
    for (const { other } of beside) open.delete(other);
    const lanes = [lane, ...beside.map(({ next }) => next)].sort(
      (one, next) => one.source.position.y - next.source.position.y,
    );
    return [
      {
        some: [part, ...beside.map(({ other }) => other)].flat(),
        lanes: lanes.map(({ nodes }) => nodes.map(({ id }) => id)),
      },
    ];
  });
}

/** New nodes one behind the other, between one node and one other. */
interface Lane {
  source: GraphNode;
  nodes: readonly GraphNode[];
}

function laneOf(graph: Graph, [part, ...others]: readonly Stretch[]): Lane | undefined {
  const [source, ...otherSources] = part?.sources ?? [];
  if (!part || !source || others.length + otherSources.length > 0) return undefined;
  const nodes: GraphNode[] = [];
  for (let last = source; nodes.length < part.news.length; ) {
    const next = graph.nodes.filter(({ id }) => part.news.includes(id)).filter((node) => isFedBy(node, last));
    const [only, ...more] = next;
    if (!only || more.length > 0 || nodes.includes(only)) return undefined;
    nodes.push(only);
    last = only;
  }
  return { source, nodes };
}

function isFedBy(node: GraphNode, { id }: GraphNode): boolean {
  const [source, ...others] = sourcesOf(node);
  return source === id && others.length === 0;
}

function runAlike({ source: one, nodes: some }: Lane, { source: other, nodes: others }: Lane): boolean {
  return (
    one !== other &&
    Math.abs(one.position.x - other.position.x) <= sameColumn &&
    some.map(({ type }) => type).join() === others.map(({ type }) => type).join()
  );
}

function isAside(boxes: ReadonlyMap<NodeId, Rectangle>, id: NodeId, others: readonly GraphNode[]): boolean {
  const box = boxes.get(id);
  return box !== undefined && others.every((other) => Math.abs((boxes.get(other.id) ?? box).y - box.y) > far);
}

function isTurned(boxes: ReadonlyMap<NodeId, Rectangle>, source: NodeId, target: NodeId): boolean {
  const [from, to] = [boxes.get(source), boxes.get(target)];
  return from !== undefined && to !== undefined && runsBack(from, to);
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
