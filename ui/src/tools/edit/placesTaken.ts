/** Places of nodes that a batch takes away, for those that it puts in for them. */

import type { GraphNode, LinkSource, LinkTarget, NodeId, Rectangle } from "../../graph/graph";
import { outline } from "../../graph/placement";
import { runsBack, wiresCost } from "../../graph/wires";
import type { DraftGraph, Located } from "./draftGraphs";

/** A node as it was, with the links that it had before the batch and when it was taken away. */
export interface RemovedNode extends Links {
  id: NodeId;
  at: DraftGraph;
  box: Rectangle;
}

interface Links {
  sources: readonly LinkSource[];
  targets: readonly Target[];
}

type Target = Pick<LinkTarget, "node" | "name">;

export function removedNode({ at, node }: Located): RemovedNode {
  const { sources, targets } = linksOf(node);
  return {
    ...{ id: node.id, at, box: outline(node) },
    sources: [...sources, ...at.before.sourcesOf(node.id)],
    targets: [...targets, ...at.before.targetsOf(node.id)],
  };
}

/**
 * Of new nodes without a place that stand in links of one that was removed; several share what one had. Of a chain that
 * feeds what it fed, the last one, or else the first where the way to it would run back.
 */
export function placesTaken(
  removed: readonly RemovedNode[],
  unplaced: ReadonlyMap<GraphNode, Rectangle | undefined>,
): Map<GraphNode, Rectangle> {
  const taken = new Map<GraphNode, Rectangle>();
  const free = [...unplaced].flatMap(([node, box]) => (box ? [] : [node]));
  for (const gone of removed) {
    const likenesses = (node: GraphNode) => {
      const { sources, targets } = linksOf(node);
      return [
        likeness(gone.sources, sources, ({ node, output }) => `${node} ${output}`),
        likeness(gone.targets, targets, ({ node, name }) => `${node} ${name}`),
      ];
    };
    const isInstead = (node: GraphNode) => {
      const alike = likenesses(node);
      const isOnOneSide = alike.includes("shared") && !alike.includes("other");
      return isOnOneSide && (!alike.includes("one-sided") || isForward(gone, node));
    };
    const { nodes } = gone.at.graph;
    const open = free.filter((node) => !taken.has(node) && nodes.includes(node));
    const instead = open.filter(isInstead);
    const chain =
      instead.length > 0
        ? []
        : chainTo(
            open.find((node) => likenesses(node)[1] === "shared"),
            open,
          );
    const one = chain.find((node) => isForward(gone, node));
    for (const node of one ? [one] : instead) taken.set(node, gone.box);
  }
  return taken;

  /** A batch may have led links past the other before it took that out. */
  function isForward({ at, box }: RemovedNode, node: GraphNode): boolean {
    const { width, height } = outline(node);
    const place = { ...box, width, height };
    const boxOf = (id: NodeId) => {
      const other = at.graph.nodes.find((each) => each.id === id && !unplaced.has(each));
      return other && outline(other);
    };
    const { sources, targets } = linksOf(node);
    const before = sources.flatMap((each) => boxOf(each.node) ?? []);
    const behind = targets.flatMap((each) => boxOf(each.node) ?? []);
    return !before.some((other) => runsBack(other, place)) && !behind.some((other) => runsBack(place, other));
  }
}

/** Between the columns of what feeds a node and its own. */
const columnGap = 60;

/**
 * Whether a replaced node is fed, as the other was not, by what stands right of their place, so that its wires are worse
 * there than behind that.
 */
export function isOutOfPlace(
  { at, node }: Located,
  place: Rectangle,
  unplaced: ReadonlyMap<GraphNode, unknown>,
): boolean {
  const { sources, targets } = linksOf(node);
  const boxesOf = (ids: readonly NodeId[]) =>
    at.graph.nodes.flatMap((other) =>
      ids.includes(other.id) && other !== node && !unplaced.has(other) ? [outline(other)] : [],
    );
  const right = place.x + place.width;
  const had = at.before.sourcesOf(node.id).map((source) => source.node);
  const fresh = boxesOf(sources.map((source) => source.node).filter((id) => !had.includes(id)));
  if (!fresh.some(({ x }) => x >= right)) return false;
  const before = boxesOf(sources.map((source) => source.node));
  const behind = boxesOf(targets.map((target) => target.node));
  const x = Math.max(...before.map((box) => box.x + box.width)) + columnGap;
  return wiresCost(place, before, behind) > wiresCost({ ...place, x }, before, behind);
}

/** It, and what leads to it alone, one behind the other. */
function chainTo(end: GraphNode | undefined, open: readonly GraphNode[]): GraphNode[] {
  const chain: GraphNode[] = [];
  for (let node = end; node && !chain.includes(node); ) {
    chain.push(node);
    const { sources } = linksOf(node);
    const news = open.filter(({ id }) => sources.some((source) => source.node === id));
    node = news.find((each) => linksOf(each).sources.length > 0) ?? news[0];
  }
  return chain;
}

type Likeness = "shared" | "other" | "one-sided" | "none";

function likeness<Slot>(
  some: readonly Slot[],
  others: readonly Slot[],
  nameOf: (slot: Slot) => string,
): Likeness {
  if (some.length === 0 || others.length === 0) return some.length === others.length ? "none" : "one-sided";
  const names = new Set(some.map(nameOf));
  return others.some((slot) => names.has(nameOf(slot))) ? "shared" : "other";
}

function linksOf({ inputs, outputs }: GraphNode): Links {
  return {
    sources: inputs.flatMap(({ linkedFrom }) => linkedFrom ?? []),
    targets: outputs.flatMap(({ linkedTo }) => linkedTo),
  };
}
