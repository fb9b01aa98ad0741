import type { GraphInput } from "../../graph/graph";
import type { SlotReferred } from "../read/references";
import type { LocatedSlot } from "./draft";

/** The input whose link is meant: the one that was named, or the only one that has a link; and all that have one. */
export function linkMeant({ node, slot }: LocatedSlot<GraphInput>): {
  input: SlotReferred<GraphInput> | undefined;
  linked: readonly SlotReferred<GraphInput>[];
} {
  const linked = node.inputs.flatMap((each, index) => (each.linkedFrom ? [{ slot: each, index }] : []));
  return { input: slot ?? (linked.length === 1 ? linked[0] : undefined), linked };
}
