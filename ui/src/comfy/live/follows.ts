import type { NodeId } from "../../graph/graph";
import type { LiveGraph, LiveNode } from "./page";

/**
 * The nodes that a node takes from without a wire, as the Get of a pair does from its Set: ComfyUI asks it, when the
 * prompt is made, for a link into another node. Some complain aloud where their counterpart is missing, so they are
 * asked only where another node like them holds one of their values.
 */
export function followedNodes(graph: LiveGraph, node: LiveNode): NodeId[] {
  const outputs = node.isVirtualNode && node.getInputLink ? (node.outputs ?? []) : [];
  if (outputs.length === 0 || !hasCounterpart(graph, node)) return [];
  const found = outputs.flatMap((_, output) => {
    const link = askedLink(node, output);
    const isHere = link && link.id !== undefined && graph.getLink(link.id) === link;
    return isHere && String(link.target_id) !== String(node.id) ? [String(link.target_id)] : [];
  });
  return [...new Set(found)];
}

function hasCounterpart(graph: LiveGraph, node: LiveNode): boolean {
  const held = new Set((node.widgets ?? []).map(({ value }) => value));
  return (
    held.size > 0 &&
    graph.nodes.some(
      (other) =>
        other !== node &&
        other.isVirtualNode &&
        other.inputs?.some(({ link }) => link !== null && link !== undefined) &&
        other.widgets?.some(({ value }) => held.has(value)),
    )
  );
}

function askedLink(node: LiveNode, output: number) {
  try {
    return node.getInputLink?.(output);
  } catch {
    return undefined;
  }
}
