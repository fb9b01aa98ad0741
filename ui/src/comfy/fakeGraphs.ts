/** Graphs as the fake page gives them. */

import { findNode, type Graph, type NodeId } from "../graph/graph";
import { withLater } from "../graph/laterFields";
import { drawLink, sourceSlot } from "../graph/links";

/** A page would give what it has by then. */
export function readInTime({ nodes, groups, ...graph }: Graph, isInTime: () => boolean): Graph {
  const inTime = <Value>(value: Value) => {
    if (!isInTime()) throw new Error("This was read of a graph that has been changed since.");
    return value;
  };
  const rest = {
    ...graph,
    nodes: nodes.map(({ inputs, outputs, widgets, size, ...node }) =>
      withLater(node, {
        inputs: () => inTime(inputs),
        outputs: () => inTime(outputs),
        widgets: () => inTime(widgets),
        size: () => inTime(size),
      }),
    ),
  };
  return withLater(rest, { groups: () => inTime(groups) });
}

export function withBroadcasts(graph: Graph, nodes: ReadonlyMap<NodeId, string | undefined>): Graph {
  if (nodes.size === 0) return graph;
  const drawn = structuredClone(graph);
  for (const [id, widget] of nodes) {
    const from = findNode(graph, id)?.inputs[0]?.linkedFrom;
    const type = from && sourceSlot(graph, from)?.type;
    if (!type) continue;
    for (const node of drawn.nodes)
      node.inputs.forEach((slot, input) => {
        if (
          !slot.linkedFrom &&
          (!slot.isWidget || slot.name === widget) &&
          node.id !== from.node &&
          slot.type === type
        )
          drawLink(drawn, from, { node: node.id, input });
      });
  }
  return drawn;
}
