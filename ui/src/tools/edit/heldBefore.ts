/** What a graph held before a batch. */

import {
  type Graph,
  type GraphGroup,
  type GraphWidget,
  type LinkSource,
  type LinkTarget,
  type NodeId,
  subgraphOutput,
} from "../../graph/graph";
import { whenRead } from "../../graph/laterFields";
import { isSameOutput } from "../../graph/links";

export type HeldValue = Pick<GraphWidget, "name" | "value">;

/** A subgraph's own output counts as an input. */
type HeldInput = Pick<LinkTarget, "name"> & { linkedFrom?: LinkSource };

/** The nodes that were there before the batch, and the values and links of those that the batch looks at. */
export class HeldBefore {
  private readonly ids: ReadonlySet<NodeId>;
  private readonly groups: readonly GraphGroup[];
  private readonly values = new Map<NodeId, readonly HeldValue[]>();
  private readonly inputs = new Map<NodeId, readonly HeldInput[]>();

  constructor({ nodes, groups, scope }: Graph) {
    this.groups = [...groups];
    this.ids = new Set(nodes.map(({ id }) => id));
    for (const node of nodes) {
      whenRead(node, "widgets", (widgets) => this.values.set(node.id, widgets.map(heldValue)));
      whenRead(node, "inputs", (inputs) => this.inputs.set(node.id, inputs.map(heldInput)));
    }
    if (scope.kind === "subgraph") this.inputs.set(subgraphOutput, scope.outputs.map(heldInput));
  }

  has(node: NodeId): boolean {
    return this.ids.has(node);
  }

  /** The place that a group had among all, whichever the batch takes away. */
  indexOf(group: GraphGroup): number {
    return this.groups.indexOf(group);
  }

  /** Inputs at which the batch has not looked are as they were. */
  hasLink(from: LinkSource, to: LinkTarget): boolean {
    const inputs = this.inputs.get(to.node);
    if (!inputs) return this.has(to.node);
    return inputs.some(({ name, linkedFrom }) => name === to.name && isSameOutput(linkedFrom, from));
  }

  /** The inputs that it fed, of those at which the batch has looked: the others are as they were. */
  targetsOf(node: NodeId): Pick<LinkTarget, "node" | "name">[] {
    return [...this.inputs].flatMap(([target, inputs]) =>
      inputs.flatMap(({ name, linkedFrom }) => (linkedFrom?.node === node ? [{ node: target, name }] : [])),
    );
  }

  /** What fed it, likewise. */
  sourcesOf(node: NodeId): LinkSource[] {
    return (this.inputs.get(node) ?? []).flatMap(({ linkedFrom }) => linkedFrom ?? []);
  }

  valuesOf(node: NodeId): readonly HeldValue[] | undefined {
    return this.values.get(node);
  }
}

function heldValue({ name, value }: GraphWidget): HeldValue {
  return { name, value };
}

function heldInput({ name, linkedFrom }: HeldInput): HeldInput {
  return { name, ...(linkedFrom && { linkedFrom }) };
}
