/** What a node that is put before one sampling pass does to another, which reads the same text encoders. */

import { findNode, type Graph, type LinkTarget, type NodeId } from "../../graph/graph";
import { targetSlot } from "../../graph/links";

/** Links that go through an output of the node now, beside those that are meant. */
export interface Moved {
  output: string;
  to: readonly LinkTarget[];
}

export interface Shared {
  node: NodeId;
  output: string;
  /** By which nodes it gets that. */
  by: NodeId[];
}

/**
 * The node that gets what comes by this link, which was left as it is, and beside it what was moved. What the nodes at
 * `meant` make of it is their result, as the latent of a first pass is, and has nothing to do with that.
 */
export function sharedBy(
  graph: Graph,
  left: LinkTarget,
  moved: readonly Moved[],
  meant: ReadonlySet<NodeId>,
): Shared | undefined {
  const takers = handedTo(graph, left.node, targetSlot(graph, left)?.type);
  return moved
    .flatMap(({ output, to }) => {
      const readers = [...new Set(to.map(({ node }) => node))];
      const reached = new Map(
        readers.map((id) => [id, typesOf(graph, id).map((type) => handedTo(graph, id, type, meant))]),
      );
      return [...takers].flatMap((node) => {
        const by = readers.filter((id) => id !== node && reached.get(id)?.some((all) => all.has(node)));
        return by.length > 0 ? [{ node, output, by }] : [];
      });
    })
    .at(0);
}

/** The node and those to which it and others of them, up to the `last`, hand on something of this type. */
function handedTo(
  graph: Graph,
  start: NodeId,
  type: string | undefined,
  last: ReadonlySet<NodeId> = new Set(),
): ReadonlySet<NodeId> {
  const found = new Set([start]);
  for (const id of found)
    for (const output of last.has(id) ? [] : (findNode(graph, id)?.outputs ?? []))
      if (output.type === type) for (const { node } of output.linkedTo) found.add(node);
  return found;
}

function typesOf(graph: Graph, id: NodeId): string[] {
  return [...new Set(findNode(graph, id)?.outputs.map(({ type }) => type))];
}
