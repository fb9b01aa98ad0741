/** What a model has called the nodes of earlier batches: it goes on calling them so. */

import type { Comfy } from "../../comfy/bridge";
import type { NodeId, Place } from "../../graph/graph";
import { perWorkflow } from "./perWorkflow";

interface Named {
  place: Place;
  id: NodeId;
  /** The node is the one that was named as long as it is of this type: ids come again once edits are undone. */
  type: string;
}

const namesIn = perWorkflow(() => new Map<string, Named>());

/** The newest node of a name is the one that goes by it. */
export function rememberNames(comfy: Comfy, named: readonly [string, { place: Place; id: NodeId }][]): void {
  const names = namesIn(comfy);
  for (const [name, { place, id }] of named) {
    const type = typeAt(comfy, place, id);
    if (type !== undefined) names.set(name, { place, id, type });
  }
}

/** The ids from the workflow to the node that an earlier batch gave this name; undefined where it is gone. */
export function pathNamed(comfy: Comfy, name: string): NodeId[] | undefined {
  const named = namesIn(comfy).get(name);
  return named && typeAt(comfy, named.place, named.id) === named.type
    ? [...named.place, named.id]
    : undefined;
}

/** The id in this graph of the node that an earlier batch gave this name: its path is written in front of the name, too. */
export function idNamed(comfy: Comfy, place: Place, name: string): NodeId | undefined {
  const path = pathNamed(comfy, name);
  return path?.slice(0, -1).join() === place.join() ? path.at(-1) : undefined;
}

function typeAt(comfy: Comfy, place: Place, id: NodeId): string | undefined {
  try {
    return comfy.node(id, place)?.type;
  } catch {
    return undefined;
  }
}
