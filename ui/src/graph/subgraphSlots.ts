/** Slots of a subgraph in memory: added and taken away inside, and on every node that stands for it. */

import {
  findNode,
  type Graph,
  type GraphNode,
  type NodeId,
  type Scope,
  subgraphInput,
  subgraphOutput,
} from "./graph";
import { dropLink, type InputPlace, type OutputPlace, sourceSlot, targetSlot } from "./links";

export interface SubgraphGraphs {
  inner: Graph;
  /** Those in which nodes may stand for it. */
  outer: readonly Graph[];
}

type SubgraphScope = Extract<Scope, { kind: "subgraph" }>;

/** Links a new input of the subgraph to the input of an inner node; a widget there is shown by the subgraph's nodes. */
export function promoteInput(graphs: SubgraphGraphs, to: InputPlace, name: string): void {
  const { inner } = graphs;
  const scope = scopeOf(inner);
  const target = targetSlot(inner, to);
  const slot = findNode(inner, to.node)?.inputs[to.input];
  if (!scope || !target || !slot) return;
  scope.inputs ??= [];
  const { type, isOptional } = slot;
  target.linkedFrom = { node: subgraphInput, output: scope.inputs.length, name };
  scope.inputs.push({ name, type });
  const widget = findNode(inner, to.node)?.widgets.find((each) => each.name === slot.name);
  for (const { node } of instances(graphs)) {
    node.inputs.push({ name, type, isOptional, isWidget: widget !== undefined });
    if (widget) node.widgets.push({ ...widget, name });
  }
}

/** Links the output of an inner node to a new output of the subgraph. */
export function promoteOutput(graphs: SubgraphGraphs, from: OutputPlace, name: string): void {
  const scope = scopeOf(graphs.inner);
  const source = sourceSlot(graphs.inner, from);
  if (!scope || !source) return;
  source.linkedTo?.push({ node: subgraphOutput, input: scope.outputs.length, name });
  scope.outputs.push({ name, type: source.type, linkedFrom: { ...from, name: source.name } });
  for (const { node } of instances(graphs)) node.outputs.push({ name, type: source.type, linkedTo: [] });
}

export function removeSubgraphInput(graphs: SubgraphGraphs, name: string): void {
  const { inner } = graphs;
  const scope = scopeOf(inner);
  const index = scope?.inputs?.findIndex((each) => each.name === name) ?? -1;
  if (!scope?.inputs || index < 0) return;
  scope.inputs.splice(index, 1);
  for (const target of targets(inner)) {
    const { linkedFrom } = target;
    if (linkedFrom?.node !== subgraphInput) continue;
    if (linkedFrom.output === index) delete target.linkedFrom;
    else if (linkedFrom.output > index) linkedFrom.output -= 1;
  }
  for (const { graph, node } of instances(graphs)) {
    const slot = node.inputs.findIndex((each) => each.name === name);
    dropLink(graph, { node: node.id, input: slot });
    node.inputs.splice(slot, 1);
    node.widgets = node.widgets.filter((widget) => widget.name !== name);
    closeUpTargets(graph, node.id, slot);
  }
}

export function removeSubgraphOutput(graphs: SubgraphGraphs, name: string): void {
  const { inner } = graphs;
  const scope = scopeOf(inner);
  const index = scope?.outputs.findIndex((each) => each.name === name) ?? -1;
  if (!scope || index < 0) return;
  dropLink(inner, { node: subgraphOutput, input: index });
  scope.outputs.splice(index, 1);
  closeUpTargets(inner, subgraphOutput, index);
  for (const { graph, node } of instances(graphs)) {
    const slot = node.outputs.findIndex((each) => each.name === name);
    for (const link of [...(node.outputs[slot]?.linkedTo ?? [])]) dropLink(graph, link);
    node.outputs.splice(slot, 1);
    for (const { linkedFrom } of targets(graph))
      if (linkedFrom?.node === node.id && linkedFrom.output > slot) linkedFrom.output -= 1;
  }
}

function scopeOf({ scope }: Graph): SubgraphScope | undefined {
  return scope.kind === "subgraph" ? scope : undefined;
}

function instances({ inner, outer }: SubgraphGraphs): { graph: Graph; node: GraphNode }[] {
  const id = scopeOf(inner)?.id;
  return outer.flatMap((graph) =>
    graph.nodes.filter(({ subgraph }) => subgraph?.id === id).map((node) => ({ graph, node })),
  );
}

/** Everything that a link can come into. */
function targets({ nodes, scope }: Graph) {
  return [...nodes.flatMap(({ inputs }) => inputs), ...(scope.kind === "subgraph" ? scope.outputs : [])];
}

/** The slots behind the one that is gone have moved up. */
function closeUpTargets({ nodes }: Graph, id: NodeId, gone: number): void {
  for (const link of nodes.flatMap(({ outputs }) => outputs.flatMap(({ linkedTo }) => linkedTo)))
    if (link.node === id && link.input > gone) link.input -= 1;
}
