/** Nodes that earlier batches of a turn have placed, and that get links only now: their places are found again. */

import type { GraphNode, NodeId } from "../../graph/graph";
import { outline } from "../../graph/placement";
import { partsJoinedBy } from "../../graph/placingOrder";
import { runsBack } from "../../graph/wires";
import type { DraftGraph } from "./draftGraphs";

interface Link {
  from: NodeId;
  to: NodeId;
  /** Whether this batch draws it. */
  isNew: boolean;
}

/**
 * Of `free` nodes, those that nothing joined to others before, or to nodes that are not free, and those that a new wire
 * would run back from or to. `added` are nodes of this batch that have no place yet.
 */
export function linkedLater(
  at: DraftGraph,
  free: readonly GraphNode[],
  added: readonly GraphNode[],
): GraphNode[] {
  const links = new Map([...free, ...added].map((node) => [node.id, linksOf(at, node)]));
  const linksOfAll = (ids: Iterable<NodeId>) => [...ids].flatMap((id) => links.get(id) ?? []);
  const freeIds = new Set(free.map(({ id }) => id));
  const isOld = ({ isNew }: Link) => !isNew;
  const leaves =
    (ids: ReadonlySet<NodeId>) =>
    ({ from, to }: Link) =>
      !ids.has(from) || !ids.has(to);
  const wholes = joined(freeIds, linksOfAll(freeIds).filter(isOld));
  const isLoose = (whole: ReadonlySet<NodeId>) =>
    !linksOfAll(whole).some((link) => isOld(link) && leaves(freeIds)(link));
  const loose = new Set(wholes.filter(isLoose).flatMap((whole) => [...whole]));
  const open = new Set([...loose, ...added.map(({ id }) => id)]);
  const met = joined(open, linksOfAll(open)).filter((whole) => linksOfAll(whole).some(leaves(open)));
  const isMet = (id: NodeId) => met.some((whole) => whole.has(id));
  const isUnplaced = (whole: ReadonlySet<NodeId>) => {
    const all = linksOfAll(whole);
    return all.every(({ isNew }) => isNew) ? all.length > 0 : [...whole].some(isMet);
  };
  const unplaced = new Set(wholes.filter(isUnplaced).flatMap((whole) => [...whole]));
  const boxes = new Map(
    at.graph.nodes.flatMap((node) =>
      unplaced.has(node.id) || added.includes(node) ? [] : [[node.id, outline(node)] as const],
    ),
  );
  const isBack = ({ from, to, isNew }: Link) => {
    const [source, target] = [boxes.get(from), boxes.get(to)];
    return isNew && source && target && runsBack(source, target);
  };
  const torn = new Set(
    wholes.filter((whole) => linksOfAll(whole).some(isBack)).flatMap((whole) => [...whole]),
  );
  return free.filter(({ id }) => unplaced.has(id) || torn.has(id));
}

function linksOf({ before }: DraftGraph, { id, inputs, outputs }: GraphNode): Link[] {
  const into = inputs.flatMap(({ name, linkedFrom: from }, input): Link[] =>
    from ? [{ from: from.node, to: id, isNew: !before.hasLink(from, { node: id, input, name }) }] : [],
  );
  const out = outputs.flatMap(({ name, linkedTo }, output) =>
    linkedTo.map(
      (to): Link => ({ from: id, to: to.node, isNew: !before.hasLink({ node: id, output, name }, to) }),
    ),
  );
  return [...into, ...out];
}

/** Those that links join, together. */
function joined(ids: ReadonlySet<NodeId>, links: readonly Link[]): ReadonlySet<NodeId>[] {
  return partsJoinedBy(links, ids).map((part) => new Set(part));
}
