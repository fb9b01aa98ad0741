/** Growing rows whose inputs lose links: the page closes a gap a frame later, by the place that the input had then. */

import type { LiveNode } from "../page";
import { isLookedUp } from "../reading/slotLinks";
import { replaceMethod } from "./replaceMethod";

/** LiteGraph's number for the side of inputs. */
const inputSide = 1;

/** Links that leave come back at once into the same inputs: the nodes do not hear of what happens meanwhile. */
export function withoutMovingUp<Result>(nodes: readonly LiveNode[], change: () => Result): Result {
  const restore = nodes
    .filter(grows)
    .map((node) => replaceMethod(node, "onConnectionsChange", () => undefined));
  try {
    return change();
  } finally {
    for (const each of restore) each();
  }
}

/**
 * Several links may leave a row, and others come in: the nodes hear afterwards of the inputs that have none then, the
 * last first, so that no gap that is closed moves another. When `change` throws, they hear of nothing.
 */
export function movingUpAtTheEnd<Result>(nodes: readonly LiveNode[], change: () => Result): Result {
  const rows = nodes.filter(grows).map((node) => ({ node, ...holdBack(node) }));
  for (const { node } of rows) placeLinks(node);
  try {
    const result = change();
    for (const { restore } of rows) restore();
    // A node that the edit took away is in no graph any more.
    for (const { node, left } of rows) if (node.graph) tell(node, left);
    return result;
  } finally {
    for (const { restore } of rows) restore();
  }
}

/** A page that closes a gap leaves the links into the inputs behind it where these were, and cuts others by that later. */
export function placeLinks({ graph, inputs = [] }: LiveNode): void {
  for (const [index, input] of inputs.entries()) {
    const link = isLookedUp(input, "link") ? undefined : graph?.getLink(input.link);
    if (link && link.target_slot !== index) link.target_slot = index;
  }
}

function tell(node: LiveNode, left: ReadonlySet<string>): void {
  if (left.size === 0) return;
  const isOpen = ({ name }: { name: string }, index: number) => left.has(name) && !node.getInputLink?.(index);
  const open = (node.inputs ?? []).flatMap((input, index) => (isOpen(input, index) ? [index] : []));
  for (const index of open.reverse())
    node.onConnectionsChange?.(inputSide, index, false, undefined, node.inputs?.[index]);
  // Behind what the page does a frame later itself.
  requestAnimationFrame(() => placeLinks(node));
}

function holdBack(node: LiveNode) {
  const original = node.onConnectionsChange;
  const left = new Set<string>();
  const restore = replaceMethod(node, "onConnectionsChange", (...told: readonly unknown[]) => {
    const [side, index, isConnected] = told;
    const input = node.inputs?.[Number(index)];
    if (side !== inputSide || isConnected || !input) original?.apply(node, [...told]);
    else left.add(input.name);
  });
  return { restore, left };
}

function grows({ comfyDynamic }: LiveNode): boolean {
  return comfyDynamic?.autogrow !== undefined;
}
