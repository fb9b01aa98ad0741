/** Nodes under which one of their kind goes. */

import type { Graph, GraphNode } from "./graph";
import { sourcesOf } from "./newNodes";

const partsOfModels = new Set(["MODEL", "CLIP", "VAE"]);
/** Nodes of one column begin so near to each other. */
const sameColumn = 60;

/** Those of its type that take from all that it takes from: a second branch begins under the first. */
export function twinsOf({ nodes }: Graph, node: GraphNode): GraphNode[] {
  const sources = sourcesOf(node);
  return nodes.filter(
    (other) =>
      other.type === node.type &&
      other.id !== node.id &&
      sources.every((source) => sourcesOf(other).includes(source)),
  );
}

/** Of a loader, those of the nodes that are in the first column of loaders; none of another node. */
export function loadersBeside(nodes: readonly GraphNode[], node: GraphNode): GraphNode[] {
  if (!isLoader(node)) return [];
  const loaders = nodes.filter((other) => other.id !== node.id && isLoader(other));
  const first = Math.min(...loaders.map(({ position }) => position.x));
  return loaders.filter(({ position }) => position.x < first + sameColumn);
}

/** Whether it gives what a model consists of, and takes nothing. */
export function isLoader(node: GraphNode): boolean {
  return sourcesOf(node).length === 0 && givesModel(node);
}

/** A model or a part of one, as loaders do and what changes these. */
export function givesModel({ outputs }: GraphNode): boolean {
  return outputs.some(({ type }) => partsOfModels.has(type));
}
