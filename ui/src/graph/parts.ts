/** What of a graph is laid out as one: the inside of a group, or nodes that lie in the same one. */

import { innerFirst } from "./blocks";
import { isGroupWithin } from "./frames";
import type { Graph, GraphGroup, GraphNode, NodeId } from "./graph";

export interface Part {
  nodes: readonly GraphNode[];
  /** Those that move as they are. */
  inner: readonly GraphGroup[];
  group?: GraphGroup;
}

/** The innermost group that has just these nodes. */
export function groupWith({ groups }: Graph, ids: readonly NodeId[]): GraphGroup[] {
  const chosen = new Set(ids);
  const isJust = ({ nodes }: GraphGroup) =>
    nodes.length > 0 && nodes.length === chosen.size && nodes.every((id) => chosen.has(id));
  return innerFirst(groups.filter(isJust)).slice(0, 1);
}

/** `insides` are the groups that are laid out inside. */
export function partsOf(
  { groups, nodes }: Graph,
  chosen: ReadonlySet<NodeId>,
  insides: readonly GraphGroup[],
): Part[] {
  const inside = innerFirst(insides).map((group) => ({
    nodes: nodes.filter(({ id }) => group.nodes.includes(id)),
    inner: groups.filter((each) => isGroupWithin(each, group)),
    group,
  }));
  const done = new Set(inside.flatMap((part) => part.nodes));
  const rest = new Map(
    nodes.flatMap((node) => (chosen.has(node.id) && !done.has(node) ? [[node.id, node]] : [])),
  );
  const isWhole = (group: GraphGroup) =>
    group.nodes.every((id) => rest.has(id)) && (group.nodes.length > 0 || rest.size === nodes.length);
  const whole = groups.filter(isWhole);
  const homes = innerFirst(groups.filter((group) => !whole.includes(group)));
  const homeOf = (id: NodeId) => homes.find((group) => group.nodes.includes(id));
  const parts = Map.groupBy(rest.values(), ({ id }) => homeOf(id));
  return [
    ...inside,
    ...[...parts].map(([home, each]) => ({
      nodes: each,
      inner: whole.filter((group) => homeOf(group.nodes[0] ?? "") === home),
    })),
  ];
}
