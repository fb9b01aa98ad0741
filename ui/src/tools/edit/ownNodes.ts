/** Which nodes of the open workflow the assistant has added since the page was loaded. */

import type { Comfy } from "../../comfy/bridge";
import type { GraphNode, Point } from "../../graph/graph";
import { perWorkflow } from "../read/perWorkflow";
import type { DraftGraph } from "./draftGraphs";
import type { Outcome } from "./outcome";
import { identityOf, type NodeIdentity } from "./step";

interface OwnNode {
  /** The turn that added it. */
  turn: string | undefined;
  /** Where batches have put it by themselves. */
  place?: Point;
}

const ownIn = perWorkflow(() => new Map<string, OwnNode>());

/** `isPlaced` tells the nodes that have their places from a batch, which nobody asked to be there. */
export function rememberOwn(
  comfy: Comfy,
  { added, changed, removed }: Pick<Outcome, "added" | "changed" | "removed">,
  turn?: string,
  isPlaced: (node: NodeIdentity) => boolean = () => false,
): void {
  const nodes = ownIn(comfy);
  for (const node of removed) nodes.delete(nameOf(node));
  for (const node of added) {
    const place = isPlaced(node) ? node.after?.unwritten?.position : undefined;
    nodes.set(nameOf(node), { turn, ...(place && { place }) });
  }
  for (const node of changed) {
    const own = nodes.get(nameOf(node));
    for (const each of node.differences) {
      if (!own || each.of !== "position") continue;
      if (isPlaced(node) && isSamePlace(own.place, each.before)) own.place = each.after;
      else delete own.place;
    }
  }
}

export function isOwn(comfy: Comfy, node: NodeIdentity): boolean {
  return ownIn(comfy).has(nameOf(node));
}

/** Whether this turn has added it. */
export function isOfTurn(comfy: Comfy, node: NodeIdentity, turn: string | undefined): boolean {
  return turn !== undefined && ownIn(comfy).get(nameOf(node))?.turn === turn;
}

/** Whether this turn has added it, and it stands where a batch has put it by itself. */
export function isAsPlaced(
  comfy: Comfy,
  at: DraftGraph,
  { id, position }: GraphNode,
  turn: string | undefined,
): boolean {
  const identity = identityOf(at, id);
  return isOfTurn(comfy, identity, turn) && isSamePlace(ownIn(comfy).get(nameOf(identity))?.place, position);
}

function isSamePlace(one: Point | undefined, other: Point): boolean {
  return (
    one !== undefined &&
    Math.round(one.x) === Math.round(other.x) &&
    Math.round(one.y) === Math.round(other.y)
  );
}

export function nameOf({ graph, node }: NodeIdentity): string {
  return JSON.stringify([graph, node]);
}
