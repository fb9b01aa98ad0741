/** Which nodes of the open workflow the assistant has added since the page was loaded. */

import type { Comfy } from "../../comfy/bridge";
import { perWorkflow } from "../read/perWorkflow";
import type { Outcome } from "./outcome";
import type { NodeIdentity } from "./step";

/** Each node with the turn that added it. */
const ownIn = perWorkflow(() => new Map<string, string | undefined>());

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

export function nameOf({ graph, node }: NodeIdentity): string {
  return JSON.stringify([graph, node]);
}
