import type { GraphInput, GraphNode } from "./graph";
import { acceptsType } from "./slotTypes";

/**
 * The input that goes out by an output where the node itself does nothing, by the frontend's rule for bypassed nodes: the
 * one beside it, else the first of its type. Linked or not: a node hands nothing on where that one has no link.
 */
export function handedOn({ inputs, outputs }: GraphNode, output: number): GraphInput | undefined {
  const type = outputs[output]?.type;
  if (type === undefined) return undefined;
  const beside = inputs[output];
  if (beside && acceptsType(beside.type, type)) return beside;
  return inputs.find((input) => input.type === type) ?? inputs.find((input) => acceptsType(input.type, type));
}
