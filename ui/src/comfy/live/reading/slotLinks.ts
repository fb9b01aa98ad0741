/** Which links the slots of a graph have. */

import type { LiveGraph, LiveInput, LiveLink, LiveNode, LiveOutput } from "../page";

export interface SlotLinks {
  into(node: string | number, index: number, input: LiveInput): LiveLink | undefined;
  /** In the order of their ids where the page looks them up, else as the slot has them. */
  outOf(node: string | number, index: number, output: LiveOutput): readonly LiveLink[];
}

/**
 * As the slots say. From 1.58 a slot looks its links up in a store each time that it is asked, which is slow and deprecated:
 * there the graph's links are gone through once instead, when the first such slot is asked about.
 */
export function slotLinks(graph: LiveGraph): SlotLinks {
  let gathered: ReturnType<typeof bySlot> | undefined;
  const ofGraph = () => {
    gathered ??= bySlot(graph.links?.values() ?? []);
    return gathered;
  };
  return {
    into: (node, index, input) =>
      isLookedUp(input, "link")
        ? ofGraph().into.get(slotKey(node, index))
        : (graph.getLink(input.link) ?? undefined),
    outOf: (node, index, output) =>
      isLookedUp(output, "links")
        ? (ofGraph().outOf.get(slotKey(node, index)) ?? [])
        : (output.links ?? []).flatMap((id) => graph.getLink(id) ?? []),
  };
}

export function isLookedUp(slot: object, name: string): boolean {
  return !Object.hasOwn(slot, name) && name in slot;
}

/** The place of the input that a link leads to. A page that closes a gap in a growing row leaves the old one in the link. */
export function placeInto({ inputs = [] }: LiveNode, { id, target_slot }: LiveLink): number {
  const held = inputs[target_slot];
  if (held && (isLookedUp(held, "link") || held.link === id)) return target_slot;
  const found = inputs.findIndex((input) => !isLookedUp(input, "link") && input.link === id);
  return id !== undefined && found >= 0 ? found : target_slot;
}

function bySlot(links: Iterable<LiveLink>) {
  const into = new Map<string, LiveLink>();
  const outOf = new Map<string, LiveLink[]>();
  for (const link of [...links].sort((one, other) => Number(one.id) - Number(other.id))) {
    into.set(slotKey(link.target_id, link.target_slot), link);
    const from = slotKey(link.origin_id, link.origin_slot);
    const others = outOf.get(from);
    if (others) others.push(link);
    else outOf.set(from, [link]);
  }
  return { into, outOf };
}

function slotKey(node: string | number, index: number): string {
  return `${node} ${index}`;
}
