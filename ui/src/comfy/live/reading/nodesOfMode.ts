import type { LiveGraph, LiveNode, Page } from "../page";

/** From here on the page runs nothing of a subgraph whose node is muted or bypassed. */
const skipsInside = [1, 39] as const;

/** What a mode of a node is set on: before 1.39 on all that lies inside of it too, as the page's own command does. */
export function withMode(page: Pick<Page, "version">, node: LiveNode): LiveNode[] {
  return isBefore(page.version, skipsInside) ? [...withInside(node)] : [node];
}

/** Nodes of a subgraph that is used several times are met once. */
function withInside(node: LiveNode): Set<LiveNode> {
  const nodes = new Set([node]);
  const met = new Set<LiveGraph>();
  for (const { subgraph } of nodes) {
    if (!subgraph || met.has(subgraph)) continue;
    met.add(subgraph);
    for (const inner of subgraph.nodes) nodes.add(inner);
  }
  return nodes;
}

function isBefore(version: string | undefined, [major, minor]: readonly [number, number]): boolean {
  const [found = Number.NaN, next = Number.NaN] = version?.split(".").map(Number) ?? [];
  return found < major || (found === major && next < minor);
}
