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
}

/** So far above or below all that it is linked to a new node is out of the way. */
const far = 250;
/** What is wider than so much of what stands in a column does not come into it. */
const mostOfColumn = 2;

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
    return news.length > 0 && sources.length > 0 && (isBack || isFar) ? [{ head, news, sources, isFar }] : [];
  });
  const forward = found.filter(({ head, news, sources }) => {
    const isColumn = graph.nodes.every(
      ({ id, size }) => !news.includes(id) || size.width <= mostOfColumn * head.size.width,
    );
    return sources.every(
      (source) =>
        !isTurned(boxes, source.id, head.id) || (isColumn && isBelow(outline(source), outline(head))),
    );
  });
  // What comes behind another head, and what feeds that alone, is placed once this has its place.
  const later = new Set(forward.flatMap(({ head }) => [...fedBy(graph, head.id)]));
  const early = new Map([...added].filter(([id]) => !later.has(id)));
  // Where the batch says itself where one goes, it says where all of it goes.
  if (forward.some(({ head }) => held.has(head.id))) return [];
  const first = forward.flatMap(({ head, sources, isFar }) => {
    const met = [...metBackwards(graph, early, sourcesOf(head))].filter((id) => early.has(id));
    // What only new nodes lead to is placed once these have their places.
    const news = met.filter((id) => [...metBackwards(graph, early, [id])].some((each) => !early.has(each)));
    return news.length > 0 ? [{ head, sources, news, isFar }] : [];
  });
  return connected(first).map((some) => {
    const nodes = new Set(some.flatMap(({ news }) => news));
    return {
      nodes,
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
