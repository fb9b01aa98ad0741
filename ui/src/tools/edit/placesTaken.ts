/** Places of nodes that a batch takes away, for those that it puts in for them. */

import type { GraphNode, LinkSource, LinkTarget, NodeId, Rectangle } from "../../graph/graph";
import { outline } from "../../graph/placement";
import { runsBack } from "../../graph/wires";
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

/** Of new nodes without a place that stand in links of one that was removed; several share what one had. */
export function placesTaken(
  removed: readonly RemovedNode[],
  unplaced: ReadonlyMap<GraphNode, Rectangle | undefined>,
): Map<GraphNode, Rectangle> {
  const taken = new Map<GraphNode, Rectangle>();
  const free = [...unplaced].flatMap(([node, box]) => (box ? [] : [node]));
  for (const gone of removed) {
    const isInstead = (node: GraphNode) => {
      const { sources, targets } = linksOf(node);
      const alike = [
        likeness(gone.sources, sources, ({ node, output }) => `${node} ${output}`),
        likeness(gone.targets, targets, ({ node, name }) => `${node} ${name}`),
      ];
      const isOnOneSide = alike.includes("shared") && !alike.includes("other");
      return isOnOneSide && (!alike.includes("one-sided") || isForward(gone, node));
    };
    const { nodes } = gone.at.graph;
    for (const node of free)
      if (!taken.has(node) && nodes.includes(node) && isInstead(node)) taken.set(node, gone.box);
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
