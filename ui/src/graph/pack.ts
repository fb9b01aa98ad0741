/** Putting nodes into a subgraph and taking them out again, as ComfyUI does it, on plain graphs. */

import { type Graph, type GraphNode, type NodeId, type Point, subgraphInput, subgraphOutput } from "./graph";
import { isSameOutput, sourceSlot, targetSlot } from "./links";

/**
 * Moves nodes out of `graph` into a new graph, and leaves `instance` with the slots that their links need: one for
 * each output that links come from, called as the first input that it feeds, or as itself.
 */
export function packed(graph: Graph, ids: readonly NodeId[], instance: GraphNode): Graph {
  const isInside = (id: NodeId) => ids.includes(id);
  const moved = graph.nodes.filter(({ id }) => isInside(id));
  const scope: Extract<Graph["scope"], { kind: "subgraph" }> = {
    kind: "subgraph",
    id: instance.subgraph?.id ?? instance.type,
    name: instance.title,
    inputs: [],
    outputs: [],
  };
  graph.nodes = [...graph.nodes.filter(({ id }) => !isInside(id)), instance];
  for (const node of moved)
    for (const [slot, input] of node.inputs.entries()) {
      const source = input.linkedFrom;
      if (!source || isInside(source.node)) continue;
      const from = sourceSlot(graph, source);
      let index = instance.inputs.findIndex(({ linkedFrom }) => isSameOutput(linkedFrom, source));
      const isFirst = index < 0;
      if (isFirst) {
        index = instance.inputs.length;
        const name = freeName(input.name, instance.inputs);
        const { type } = input;
        instance.inputs.push({ name, type, isWidget: false, isOptional: true, linkedFrom: source });
        scope.inputs?.push({ name, type });
      }
      const outer = instance.inputs[index];
      if (outer) outer.isOptional &&= input.isOptional || input.isWidget;
      const { name } = outer ?? input;
      input.linkedFrom = { node: subgraphInput, output: index, name };
      if (from?.linkedTo)
        from.linkedTo = from.linkedTo.flatMap((to) =>
          to.node !== node.id || to.input !== slot
            ? [to]
            : isFirst
              ? [{ node: instance.id, input: index, name }]
              : [],
        );
    }
  for (const node of moved)
    for (const [slot, output] of node.outputs.entries()) {
      const leaving = output.linkedTo.filter((to) => !isInside(to.node));
      if (leaving.length === 0) continue;
      const index = instance.outputs.length;
      const name = freeName(output.name, instance.outputs);
      instance.outputs.push({ name, type: output.type, linkedTo: leaving });
      const linkedFrom = { node: node.id, output: slot, name: output.name };
      scope.outputs.push({ name, type: output.type, linkedFrom });
      for (const to of leaving) {
        const target = targetSlot(graph, to);
        if (target) target.linkedFrom = { node: instance.id, output: index, name };
      }
      output.linkedTo = [
        ...output.linkedTo.filter((to) => isInside(to.node)),
        { node: subgraphOutput, input: index, name },
      ];
    }
  return { scope, nodes: moved, groups: [], selection: [] };
}

/** As ComfyUI does it: `seed`, `seed_1`. */
export function freeName(wanted: string, slots: readonly { name: string }[]): string {
  const isTaken = (candidate: string) => slots.some(({ name }) => name === candidate);
  if (!isTaken(wanted)) return wanted;
  for (let number = 1; ; number++) if (!isTaken(`${wanted}_${number}`)) return `${wanted}_${number}`;
}

/** Puts the nodes of `inner` in place of `instance` in `graph`, under new ids, so far from where they lie inside. */
export function unpacked(
  graph: Graph,
  instance: GraphNode,
  inner: Graph,
  { by, newId }: { by: Point; newId: () => NodeId },
): void {
  const ids = new Map(inner.nodes.map(({ id }) => [id, newId()]));
  const nodes = structuredClone(inner.nodes);
  for (const node of nodes) {
    node.id = ids.get(node.id) ?? node.id;
    node.position = { x: node.position.x + by.x, y: node.position.y + by.y };
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
