/** Places of nodes that a batch takes away, for those that it puts in for them. */

import type { GraphNode, LinkSource, LinkTarget, Rectangle } from "../../graph/graph";
import { outline } from "../../graph/placement";
import type { DraftGraph, Located } from "./draftGraphs";

/** A node as it was, when it was taken away. */
export interface RemovedNode {
  at: DraftGraph;
  box: Rectangle;
  sources: readonly LinkSource[];
  targets: readonly LinkTarget[];
}

export function removedNode({ at, node }: Located): RemovedNode {
  return { at, box: outline(node), ...linksOf(node) };
}

/** Of new nodes without a place that stand in the links of one that was removed: on the same sides, with one of each. */
export function placesTaken(
  removed: readonly RemovedNode[],
  unplaced: ReadonlyMap<GraphNode, Rectangle | undefined>,
): Map<GraphNode, Rectangle> {
  const taken = new Map<GraphNode, Rectangle>();
  const free = [...unplaced].flatMap(([node, box]) => (box ? [] : [node]));
  for (const { at, box, sources, targets } of removed) {
    const isInstead = (node: GraphNode) => {
      const own = linksOf(node);
      return (
        (sources.length > 0 || targets.length > 0) &&
        isAlike(sources, own.sources, ({ node, output }) => `${node} ${output}`) &&
        isAlike(targets, own.targets, ({ node, input }) => `${node} ${input}`)
      );
    };
    const node = free.find((each) => !taken.has(each) && at.graph.nodes.includes(each) && isInstead(each));
    if (node) taken.set(node, box);
  }
  return taken;
}

function isAlike<Slot>(
  some: readonly Slot[],
  others: readonly Slot[],
  nameOf: (slot: Slot) => string,
): boolean {
  if (some.length === 0 || others.length === 0) return some.length === others.length;
  const names = new Set(some.map(nameOf));
  return others.some((slot) => names.has(nameOf(slot)));
}

function linksOf({ inputs, outputs }: GraphNode): { sources: LinkSource[]; targets: LinkTarget[] } {
  return {
    sources: inputs.flatMap(({ linkedFrom }) => linkedFrom ?? []),
    targets: outputs.flatMap(({ linkedTo }) => linkedTo),
  };
}
