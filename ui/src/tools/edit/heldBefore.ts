/** What a graph held before a batch. */

import type { Graph, GraphWidget, NodeId } from "../../graph/graph";
import { whenRead } from "../../graph/laterFields";

export type HeldValue = Pick<GraphWidget, "name" | "value">;

/** The nodes that were there before the batch, and the values of those whose values the batch looks at. */
export class HeldBefore {
  private readonly ids: ReadonlySet<NodeId>;
  private readonly values = new Map<NodeId, readonly HeldValue[]>();

  constructor({ nodes }: Graph) {
    this.ids = new Set(nodes.map(({ id }) => id));
    for (const node of nodes)
      whenRead(node, "widgets", (widgets) => this.values.set(node.id, widgets.map(heldValue)));
  }

  has(node: NodeId): boolean {
    return this.ids.has(node);
  }

  valuesOf(node: NodeId): readonly HeldValue[] | undefined {
    return this.values.get(node);
  }
}

function heldValue({ name, value }: GraphWidget): HeldValue {
  return { name, value };
}
