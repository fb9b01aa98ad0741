/** Putting nodes into a subgraph and taking them out again, as ComfyUI does it, on plain graphs. */

import { type Graph, type GraphNode, type NodeId, subgraphInput, subgraphOutput } from "../graph/graph";

/** Moves `nodes` out of `graph` into a new graph, and leaves a node with the slots that their links need. */
export function packed(graph: Graph, ids: readonly NodeId[], instance: GraphNode): Graph {
  const isInside = (id: NodeId) => ids.includes(id);
  const moved = graph.nodes.filter(({ id }) => isInside(id));
  const staying = graph.nodes.filter(({ id }) => !isInside(id));
  const scope: Extract<Graph["scope"], { kind: "subgraph" }> = {
    kind: "subgraph",
    id: instance.subgraph?.id ?? instance.type,
    name: instance.title,
    inputs: [],
    outputs: [],
  };
  for (const node of moved)
    node.inputs.forEach((input, slot) => {
      const source = input.linkedFrom;
      if (!source || isInside(source.node)) return;
      const output = staying.find(({ id }) => id === source.node)?.outputs[source.output];
      const index = instance.inputs.length;
      instance.inputs.push({
        name: input.name,
        type: input.type,
        isWidget: false,
        isOptional: false,
        linkedFrom: source,
      });
      scope.inputs?.push({ name: input.name, type: input.type });
      input.linkedFrom = { node: subgraphInput, output: index, name: input.name };
      const link = output?.linkedTo.find((to) => to.node === node.id && to.input === slot);
      if (link) Object.assign(link, { node: instance.id, input: index });
    });
  for (const node of moved)
    node.outputs.forEach((output, slot) => {
      const leaving = output.linkedTo.filter((to) => !isInside(to.node));
      if (leaving.length === 0) return;
      const index = instance.outputs.length;
      instance.outputs.push({ name: output.name, type: output.type, linkedTo: leaving });
      scope.outputs.push({
        name: output.name,
        type: output.type,
        linkedFrom: { node: node.id, output: slot, name: output.name },
      });
      for (const to of leaving) {
        const input = staying.find(({ id }) => id === to.node)?.inputs[to.input];
        if (input) input.linkedFrom = { node: instance.id, output: index, name: output.name };
      }
      output.linkedTo = [
        ...output.linkedTo.filter((to) => isInside(to.node)),
        { node: subgraphOutput, input: index, name: output.name },
      ];
    });
  graph.nodes = [...staying, instance];
  return { scope, nodes: moved, groups: [], selection: [] };
}

/** Puts the nodes of `inner` where `instance` stands in `graph`, under new ids. */
export function unpacked(graph: Graph, instance: GraphNode, inner: Graph, newId: () => NodeId): void {
  const ids = new Map(inner.nodes.map(({ id }) => [id, newId()]));
  const nodes = structuredClone(inner.nodes);
  for (const node of nodes) {
    node.id = ids.get(node.id) ?? node.id;
    for (const input of node.inputs) {
      if (!input.linkedFrom) continue;
      const outside = instance.inputs[input.linkedFrom.output]?.linkedFrom;
      if (input.linkedFrom.node !== subgraphInput)
        input.linkedFrom.node = ids.get(input.linkedFrom.node) ?? input.linkedFrom.node;
      else if (outside) input.linkedFrom = { ...outside };
      else delete input.linkedFrom;
    }
  }
  graph.nodes = [...graph.nodes.filter((node) => node !== instance), ...nodes];
  if (inner.scope.kind === "subgraph")
    inner.scope.outputs.forEach(({ linkedFrom }, index) => {
      const targets = instance.outputs[index]?.linkedTo ?? [];
      for (const to of targets) {
        const input = graph.nodes.find(({ id }) => id === to.node)?.inputs[to.input];
        if (input && linkedFrom)
          input.linkedFrom = { ...linkedFrom, node: ids.get(linkedFrom.node) ?? linkedFrom.node };
      }
    });
  for (const node of graph.nodes)
    node.outputs.forEach((output, slot) => {
      output.linkedTo = graph.nodes.flatMap((target) =>
        target.inputs.flatMap(({ linkedFrom, name }, input) =>
          linkedFrom?.node === node.id && linkedFrom.output === slot
            ? [{ node: target.id, input, name }]
            : [],
        ),
      );
    });
}
