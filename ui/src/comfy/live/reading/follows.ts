import type { NodeId } from "../../../graph/graph";
import type { LiveGraph, LiveNode } from "../page";
import { type SlotLinks, slotLinks } from "./slotLinks";

/**
 * Tells the nodes that a node of this graph takes from without a wire, as the Get of a pair does from its Set: ComfyUI
 * asks it, when the prompt is made, for a link into another node. Some complain aloud where their counterpart is missing,
 * so they are asked only where another node like them holds one of their values. It is right until the graph is changed.
 */
export function followsIn(graph: LiveGraph): (node: LiveNode) => NodeId[] {
  let handingOn: readonly LiveNode[] | undefined;
  const hasCounterpart = (node: LiveNode) => {
    const held = new Set((node.widgets ?? []).map(({ value }) => value));
    if (held.size === 0) return false;
    handingOn ??= handingOnIn(graph);
    return handingOn.some((other) => other !== node && other.widgets?.some(({ value }) => held.has(value)));
  };
  return (node) => {
    const outputs = node.isVirtualNode && node.getInputLink ? (node.outputs ?? []) : [];
    if (outputs.length === 0 || !hasCounterpart(node)) return [];
    const found = outputs.flatMap((_, output) => {
      const link = askedLink(node, output);
      const isHere = link && link.id !== undefined && graph.getLink(link.id) === link;
      return isHere && String(link.target_id) !== String(node.id) ? [String(link.target_id)] : [];
    });
    return [...new Set(found)];
  };
}

function handingOnIn(graph: LiveGraph): LiveNode[] {
  const links = slotLinks(graph);
  return graph.nodes.filter((node) => node.isVirtualNode && isFed(node, links));
}

function isFed({ id, inputs = [] }: LiveNode, links: SlotLinks): boolean {
  return inputs.some((input, index) => links.into(id, index, input));
}

function askedLink(node: LiveNode, output: number) {
  try {
    return node.getInputLink?.(output);
  } catch {
    return undefined;
  }
}
