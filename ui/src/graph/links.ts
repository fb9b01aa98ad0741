/** Links of a graph in memory: drawn, taken away, and told. */

import {
  findNode,
  type Graph,
  type GraphInput,
  type GraphNode,
  type LinkSource,
  type LinkTarget,
  type NodeId,
  subgraphInput,
  subgraphOutput,
} from "./graph";

export interface OutputPlace {
  node: NodeId;
  output: number;
}

export interface InputPlace {
  node: NodeId;
  input: number;
}

interface SourceSlot {
  name: string;
  type: string;
  linkedTo?: LinkTarget[];
}

interface TargetSlot {
  name: string;
  type: string;
  linkedFrom?: LinkSource;
}

/** A node's output; inside a subgraph also one of its own inputs, where links come in. */
export function sourceSlot(graph: Graph, { node, output }: OutputPlace): SourceSlot | undefined {
  if (node !== subgraphInput) return findNode(graph, node)?.outputs[output];
  return graph.scope.kind === "subgraph" ? graph.scope.inputs?.[output] : undefined;
}

/** A node's input; inside a subgraph also one of its own outputs, where links leave. */
export function targetSlot(graph: Graph, { node, input }: InputPlace): TargetSlot | undefined {
  if (node !== subgraphOutput) return findNode(graph, node)?.inputs[input];
  return graph.scope.kind === "subgraph" ? graph.scope.outputs[input] : undefined;
}

export function isSameOutput(one: OutputPlace | undefined, other: OutputPlace): boolean {
  return one?.node === other.node && one.output === other.output;
}

/** Replaces the link that was in the input. Slots that are not there make it do nothing. */
export function drawLink(graph: Graph, from: OutputPlace, to: InputPlace): void {
  const source = sourceSlot(graph, from);
  const target = targetSlot(graph, to);
  if (!source || !target) return;
  dropLink(graph, to);
  target.linkedFrom = { node: from.node, output: from.output, name: source.name };
  source.linkedTo?.push({ node: to.node, input: to.input, name: target.name });
}

export function dropLink(graph: Graph, to: InputPlace): void {
  const target = targetSlot(graph, to);
  if (!target?.linkedFrom) return;
  const source = sourceSlot(graph, target.linkedFrom);
  if (source?.linkedTo)
    source.linkedTo = source.linkedTo.filter((link) => link.node !== to.node || link.input !== to.input);
  delete target.linkedFrom;
}

/** Gives a node these inputs in the place of its own. Links into those that are not among them go. */
export function replaceInputs(graph: Graph, node: GraphNode, inputs: readonly GraphInput[]): void {
  for (const [input, { linkedFrom, name }] of node.inputs.entries()) {
    if (!linkedFrom) continue;
    const to = inputs.findIndex((each) => each.name === name);
    if (to < 0) dropLink(graph, { node: node.id, input });
    const source = sourceSlot(graph, linkedFrom);
    const link = source?.linkedTo?.find((each) => each.node === node.id && each.name === name);
    if (link) link.input = to;
  }
  node.inputs = [...inputs];
}

/** Takes a node away with its links. */
export function dropNode(graph: Graph, id: NodeId): void {
  const node = findNode(graph, id);
  if (!node) return;
  for (const output of node.outputs) for (const link of [...output.linkedTo]) dropLink(graph, link);
  node.inputs.forEach((_, input) => {
    dropLink(graph, { node: id, input });
  });
  graph.nodes = graph.nodes.filter((each) => each !== node);
  graph.selection = graph.selection.filter((each) => each !== id);
}
