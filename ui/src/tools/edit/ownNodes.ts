/** Which nodes of the open workflow the assistant has added since the page was loaded. */

import type { Comfy } from "../../comfy/bridge";
import type { Outcome } from "./outcome";
import type { NodeIdentity } from "./step";

/** By the key of the workflow: each node with the turn that added it. */
const own = new WeakMap<Comfy["whole"], Map<string, Map<string, string | undefined>>>();

export function rememberOwn(
  comfy: Comfy,
  { added, removed }: Pick<Outcome, "added" | "removed">,
  turn?: string,
): void {
  const nodes = ownIn(comfy);
  for (const node of removed) nodes.delete(nameOf(node));
  for (const node of added) nodes.set(nameOf(node), turn);
}

export function isOwn(comfy: Comfy, node: NodeIdentity): boolean {
  return ownIn(comfy).has(nameOf(node));
}

/** Whether this turn has added it. */
export function isOfTurn(comfy: Comfy, node: NodeIdentity, turn: string | undefined): boolean {
  return turn !== undefined && ownIn(comfy).get(nameOf(node)) === turn;
}

function ownIn(comfy: Comfy): Map<string, string | undefined> {
  const workflows = own.get(comfy.whole) ?? new Map<string, Map<string, string | undefined>>();
  own.set(comfy.whole, workflows);
  const { key } = comfy.workflow();
  const nodes = workflows.get(key) ?? new Map<string, string | undefined>();
  workflows.set(key, nodes);
  return nodes;
}

export function nameOf({ graph, node }: NodeIdentity): string {
  return JSON.stringify([graph, node]);
}
