/** Where the widgets of a subgraph's node lie: on nodes inside, which run under ids such as `12:5`. */

import type { Comfy } from "../../comfy/bridge";
import { type GraphNode, type NodeId, type Place, subgraphInput } from "../../graph/graph";
import { shownMeant } from "../edit/promotion";

export interface InnerWidget {
  /** As it runs. */
  node: NodeId;
  input: string;
}

/** All inner widgets that take their value from this one; none where the node has no such widget. */
export function innerWidgets(comfy: Comfy, place: Place, node: GraphNode, widget: string): InnerWidget[] {
  if (!node.subgraph) return [{ node: [...place, node.id].join(":"), input: widget }];
  const inside = [...place, node.id];
  const { nodes } = comfy.graph(inside);
  const shown = shownMeant(node, widget);
  if (shown !== undefined) {
    const at = shown.indexOf(".");
    const inner = nodes.find(({ id }) => id === shown.slice(0, at));
    return inner ? innerWidgets(comfy, inside, inner, shown.slice(at + 1)) : [];
  }
  return nodes.flatMap((inner) =>
    inner.inputs
      .filter(({ isWidget, linkedFrom }) => isWidget && linkedFrom?.node === subgraphInput)
      .filter(({ linkedFrom }) => linkedFrom?.name === widget)
      .flatMap(({ name }) => innerWidgets(comfy, inside, inner, name)),
  );
}

/** The node of a subgraph that is meant by its path, its id or its title in the open graph. */
export function subgraphNodeMeant(
  comfy: Comfy,
  reference: string,
): { place: Place; node: GraphNode } | undefined {
  const path = reference.trim().replace(/^#/, "").split(":");
  const place = path.length > 1 ? path.slice(0, -1) : comfy.openPlace();
  const nodes = nodesAt(comfy, place);
  const named = nodes.filter(({ title }) => title === reference.trim());
  const node = nodes.find(({ id }) => id === path.at(-1)) ?? (named.length === 1 ? named[0] : undefined);
  return node?.subgraph && { place, node };
}

function nodesAt(comfy: Comfy, place: Place): readonly GraphNode[] {
  try {
    return comfy.graph(place).nodes;
  } catch {
    return [];
  }
}
