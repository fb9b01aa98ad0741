import { type Graph, type GraphNode, type NodeId, subgraphInput } from "../../graph/graph";

/** The edge of a subgraph as a node, so that it can be connected like one. */
export function boundaryNode({ scope, nodes }: Graph, id: NodeId): GraphNode | undefined {
  if (scope.kind !== "subgraph") return undefined;
  const edge = { title: scope.name, defaultTitle: scope.name, mode: "active", isInstalled: true } as const;
  const place = { position: { x: 0, y: 0 }, size: { width: 0, height: 0 }, widgets: [] };
  const outputs = (scope.inputs ?? []).map((port, index) => ({
    ...port,
    linkedTo: nodes.flatMap((node) =>
      node.inputs.flatMap(({ linkedFrom, name: input }, slot) =>
        linkedFrom?.node === subgraphInput && linkedFrom.output === index
          ? [{ node: node.id, input: slot, name: input }]
          : [],
      ),
    ),
  }));
  const inputs = scope.outputs.map((slot) => ({ ...slot, isWidget: false, isOptional: true }));
  return id === subgraphInput
    ? { ...edge, ...place, id, type: "subgraph input", inputs: [], outputs }
    : { ...edge, ...place, id, type: "subgraph output", inputs, outputs: [] };
}
