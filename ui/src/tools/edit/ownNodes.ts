/** Which nodes of the open workflow the assistant has added since the page was loaded. */

import type { Comfy } from "../../comfy/bridge";
import type { Outcome } from "./outcome";
import type { NodeIdentity } from "./step";

/** By the key of the workflow. */
const own = new WeakMap<Comfy["whole"], Map<string, Set<string>>>();

export function rememberOwn(comfy: Comfy, { added, removed }: Pick<Outcome, "added" | "removed">): void {
  const nodes = ownIn(comfy);
  for (const node of removed) nodes.delete(nameOf(node));
  for (const node of added) nodes.add(nameOf(node));
}

export function isOwn(comfy: Comfy, node: NodeIdentity): boolean {
  return ownIn(comfy).has(nameOf(node));
}

function ownIn(comfy: Comfy): Set<string> {
  const workflows = own.get(comfy.whole) ?? new Map<string, Set<string>>();
  own.set(comfy.whole, workflows);
  const { key } = comfy.workflow();
  const nodes = workflows.get(key) ?? new Set();
  workflows.set(key, nodes);
  return nodes;
}

function nameOf({ graph, node }: NodeIdentity): string {
  return JSON.stringify([graph, node]);
}
