/** How an input is fed: the way back over nodes that hand on and are not run themselves, such as reroutes. */

import { type NodeId, subgraphInput } from "../graph";
import type { PromptNodes } from "../prompt";
import { plainSlot } from "./read";
import {
  type CompactNode,
  type CompactSource,
  type CompactSubgraph,
  type CompactWorkflow,
  instancePaths,
} from "./workflow";

export interface PlacedNode {
  node: CompactNode;
  /** Of the subgraph's node around it, `6` of `6:3`; undefined in the workflow's own graph. */
  around: NodeId | undefined;
  /** The subgraph in which it lies. */
  scope: CompactSubgraph | undefined;
}

/** By run id, as `6:3` for node 3 inside the subgraph's node 6: what is inside stands once for each of its nodes. */
export type PlacedNodes = ReadonlyMap<NodeId, PlacedNode>;

export function placedNodes(workflow: CompactWorkflow): PlacedNodes {
  const paths = instancePaths(workflow);
  const inside = workflow.subgraphs.flatMap((scope) =>
    (paths.get(scope.key) ?? []).map((around) => ({ around, scope, nodes: scope.nodes })),
  );
  return new Map(
    [{ around: undefined, scope: undefined, nodes: workflow.nodes }, ...inside].flatMap(
      ({ around, scope, nodes }) =>
        nodes.map((node): [NodeId, PlacedNode] => [runId(around, node.id), { node, around, scope }]),
    ),
  );
}

export interface Way {
  /** From the input backwards, as `6:4.IMAGE`. Empty where no wire leads there. */
  steps: readonly string[];
  /** The nodes on it, by run id. */
  nodes: ReadonlySet<NodeId>;
}

/** Of what a run gets at this input; `run` tells the nodes where the way ends. */
export function wayTo(
  workflow: CompactWorkflow,
  placed: PlacedNodes,
  run: PromptNodes,
  target: NodeId,
  input: string,
): Way {
  const steps = new Set<string>();
  const nodes = new Set<NodeId>();
  const definitions = new Map(workflow.subgraphs.map((subgraph) => [subgraph.key, subgraph]));

  function follow(at: PlacedNode | undefined, isMeant: (input: string) => boolean): void {
    for (const link of at?.node.links ?? []) if (at && isMeant(link.input)) step(at, link.source, link.input);
  }

  function step(
    { around, scope }: Pick<PlacedNode, "around" | "scope">,
    source: CompactSource,
    input: string,
  ) {
    const slot = source.slot ?? input;
    const isEdge = source.node === subgraphInput && scope !== undefined;
    const id = isEdge ? (around ?? "") : runId(around, source.node);
    const word = isEdge ? `${id}<${slot}` : `${id}.${source.slot ?? ""}`;
    if (steps.has(word)) return;
    steps.add(word);
    nodes.add(id);
    const found = placed.get(id);
    if (!found || run[id]) return;
    const inner = definitions.get(found.node.type);
    if (isEdge) follow(found, (each) => each === slot);
    else if (inner) {
      const output = outputNamed(inner, source.slot, input);
      if (output?.source) step({ around: id, scope: inner }, output.source, output.name);
    } else follow(found, () => true);
  }

  follow(placed.get(target), (each) => each === input);
  return { steps: [...steps], nodes };
}

function outputNamed({ outputs }: CompactSubgraph, slot: string | undefined, input: string) {
  const names = outputs.map(({ name }) => name);
  const index = slot?.startsWith("#")
    ? Number(slot.slice(1))
    : slot === undefined
      ? plainSlot(names, input)
      : -1;
  return outputs.find(({ name }) => name === slot) ?? outputs[index ?? -1];
}

function runId(around: NodeId | undefined, node: NodeId): NodeId {
  return around === undefined ? node : `${around}:${node}`;
}
