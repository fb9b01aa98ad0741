import type { Graph, GraphNode } from "./graph";

/** Eight hex digits that change when nodes, links, values, titles or modes do; moving nodes keeps them. */
export function graphRevision(graph: Graph): string {
  const content = [...graph.nodes].sort((a, b) => (a.id < b.id ? -1 : 1)).map(nodeContent);
  return fnv1a(JSON.stringify([graph.scope, content]));
}

function nodeContent(node: GraphNode): unknown {
  return [
    node.id,
    node.type,
    node.title,
    node.mode,
    node.inputs.map(({ name, linkedFrom }) => [name, linkedFrom?.node, linkedFrom?.output]),
    node.widgets.map(({ name, value }) => [name, value]),
  ];
}

function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
