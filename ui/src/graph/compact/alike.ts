/** Subgraphs that are much like one before them, such as copies of it: what differs in them, node by node. */

import type { NodeId } from "../graph";
import type { CompactGraph, CompactNode, CompactSubgraph, CompactValue, CompactWorkflow } from "./workflow";

/** The node here that is as one there. */
export type StandIn = (id: NodeId) => NodeId;

/** `like` is the key of the subgraph before; of nodes that have no difference here, all is told. */
export interface Alike {
  like: string;
  differences: ReadonlyMap<NodeId, Difference>;
  /** Whether inputs and outputs are the same, and groups, by the nodes that are as those there. */
  hasSameEdge: boolean;
  hasSameGroups: boolean;
}

/** A node that is as another, `twin`, from the nodes that are as those that the other is linked to. */
export interface Difference {
  twin: NodeId;
  /** Links and values are those alone whose names have one that differs. */
  node: CompactNode;
}

/** By key. Only subgraphs with the same types are held against each other, each against the first that has them. */
export function alikeSubgraphs({ subgraphs }: CompactWorkflow): ReadonlyMap<string, Alike> {
  const firsts = new Map<string, CompactSubgraph>();
  const found = new Map<string, Alike>();
  for (const subgraph of subgraphs) {
    const types = subgraph.nodes
      .map(({ type }) => type)
      .sort()
      .join("\n");
    const first = firsts.get(types);
    const alike = first && alikeTo(first, subgraph);
    if (alike) found.set(subgraph.key, alike);
    else if (!first) firsts.set(types, subgraph);
  }
  return found;
}

/** Undefined where more than half would be told all the same, or it lacks all groups or slots, for which there are no words. */
function alikeTo(first: CompactSubgraph, subgraph: CompactSubgraph): Alike | undefined {
  const differences = differencesOf(subgraph, first);
  const told = subgraph.nodes.map((node) => differences.get(node.id)?.node ?? node);
  if (2 * partsOf(told) > partsOf(subgraph.nodes)) return undefined;
  const standIn = standInsOf([...differences].map(([id, { twin }]) => [twin, id]));
  const { inputs, outputs, groups } = copied(first, standIn);
  const hasSameEdge = isSame([subgraph.inputs, subgraph.outputs], [inputs, outputs]);
  const lines = (all: CompactSubgraph["groups"]) =>
    all.map(({ title, nodes, unwritten }) => ({ title, nodes, color: unwritten?.color }));
  const hasSameGroups = isSame(lines(subgraph.groups), lines(groups));
  const lacksSlots = subgraph.inputs.length + subgraph.outputs.length === 0;
  if ((!hasSameEdge && lacksSlots) || (!hasSameGroups && subgraph.groups.length === 0)) return undefined;
  return { like: first.key, differences, hasSameEdge, hasSameGroups };
}

/** What a subgraph has beside its nodes, where others stand in for them. */
export function copied(
  { inputs, outputs, groups }: CompactSubgraph,
  standIn: StandIn,
): Pick<CompactSubgraph, "inputs" | "outputs" | "groups"> {
  return {
    inputs,
    outputs: outputs.map((port) =>
      port.source ? { ...port, source: { ...port.source, node: standIn(port.source.node) } } : port,
    ),
    groups: groups.map((group) => ({ ...group, nodes: group.nodes.map(standIn) })),
  };
}

/** Of pairs of a node there and the one here. */
export function standInsOf(pairs: readonly (readonly [NodeId, NodeId])[]): StandIn {
  const ids = new Map(pairs);
  return (id) => ids.get(id) ?? id;
}

/** A twin of which a node lacks something is none, which can make more to tell of others. */
function differencesOf(graph: CompactGraph, first: CompactGraph): ReadonlyMap<NodeId, Difference> {
  const pairs = pairsOf(graph, first);
  for (;;) {
    const standIn = standInsOf([...pairs].map(([node, twin]) => [twin.id, node.id]));
    const told = new Map<NodeId, Difference>();
    for (const [node, twin] of pairs) {
      const difference = differenceBetween(node, twin, standIn);
      if (difference) told.set(node.id, { twin: twin.id, node: difference });
    }
    if (told.size === pairs.size) return told;
    for (const node of [...pairs.keys()]) if (!told.has(node.id)) pairs.delete(node);
  }
}

/** Of the nodes of a type, so many are held against one. */
const mostCandidates = 8;

/** Nodes of the same type, in order, those first that differ least so far. */
function pairsOf(graph: CompactGraph, first: CompactGraph): Map<CompactNode, CompactNode> {
  const pairs = new Map<CompactNode, CompactNode>();
  const ids = new Map<NodeId, NodeId>();
  const free = Map.groupBy(first.nodes, ({ type }) => type);
  for (const node of graph.nodes) {
    const candidates = free.get(node.type) ?? [];
    const costs = candidates.slice(0, mostCandidates).map((twin) => {
      const difference = differenceBetween(node, twin, (id) => ids.get(id) ?? id);
      return difference ? partCount(difference) : Infinity;
    });
    const [twin] = candidates.splice(costs.indexOf(Math.min(...costs)), 1);
    if (!twin) continue;
    pairs.set(node, twin);
    ids.set(twin.id, node.id);
  }
  return pairs;
}

/** Undefined where the node lacks something of its twin's: a difference says what is there instead. */
function differenceBetween(node: CompactNode, twin: CompactNode, standIn: StandIn): CompactNode | undefined {
  const told = standingFor(twin, standIn);
  const links = new Map(told.links.map((link) => [link.input, JSON.stringify(link)]));
  const values = new Map(told.values.map((value) => [value.name, JSON.stringify(value)]));
  const own = [...node.values, ...(node.unwritten?.usual ?? []).filter(({ name }) => values.has(name))];
  const has = <Part>(parts: readonly Part[], nameOf: (part: Part) => string, names: Iterable<string>) => {
    const here = new Set(parts.map(nameOf));
    return here.size === parts.length && [...names].every((name) => here.has(name));
  };
  const lacks =
    !has(node.links, ({ input }) => input, links.keys()) ||
    !has(own, ({ name }) => name, values.keys()) ||
    (node.mode === "active" && twin.mode !== "active") ||
    (node.title === undefined && twin.title !== undefined) ||
    !isSame(node.shown, told.shown) ||
    !isSame(node.remarks ?? {}, twin.remarks ?? {});
  if (lacks) return undefined;
  // An input that is linked may have a value, too: told of one alone, it would read as if the other were gone.
  const differing = new Set([
    ...node.links.filter((link) => links.get(link.input) !== JSON.stringify(link)).map(({ input }) => input),
    ...own.filter((value) => values.get(value.name) !== JSON.stringify(value)).map(({ name }) => name),
  ]);
  const { title: _title, remarks: _remarks, unwritten: _unwritten, ...rest } = node;
  return {
    ...rest,
    ...(node.title !== twin.title && node.title !== undefined && { title: node.title }),
    mode: node.mode === twin.mode ? "active" : node.mode,
    links: node.links.filter(({ input }) => differing.has(input)),
    values: own.filter(({ name }) => differing.has(name)),
    shown: [],
  };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function partsOf(nodes: readonly CompactNode[]): number {
  return nodes.reduce((sum, node) => sum + partCount(node), 0);
}

function partCount({ title, mode, links, values }: CompactNode): number {
  return Number(title !== undefined) + Number(mode !== "active") + links.length + values.length;
}

/** What the node is linked to and shows, in the words of the graph in which another stands for it. */
function standingFor(
  { links, values, shown }: CompactNode,
  standIn: StandIn,
): { links: CompactNode["links"]; values: CompactValue[]; shown: string[] } {
  return {
    links: links.map((link) => ({
      ...link,
      source: { ...link.source, node: standIn(link.source.node) },
      ...(link.unwired?.via !== undefined && { unwired: { via: standIn(link.unwired.via) } }),
    })),
    values,
    shown: shown.map((path) => path.replace(/^[^.:]+/, standIn)),
  };
}

/** The node that a difference tells: its `node` with what the twin has and it does not name. */
export function madeWhole(
  { node, twin }: { node: CompactNode; twin: CompactNode },
  standIn: StandIn,
): CompactNode {
  const told = standingFor(twin, standIn);
  const title = node.title ?? twin.title;
  return {
    ...node,
    ...(title !== undefined && { title }),
    mode: node.mode === "active" ? twin.mode : node.mode,
    links: inPlace(told.links, node.links, ({ input }) => input),
    values: inPlace(told.values, node.values, ({ name }) => name),
    shown: [...told.shown, ...node.shown],
  };
}

/** These, where one of the others has the same name that one, and behind them the rest of the others. */
function inPlace<Part>(
  these: readonly Part[],
  others: readonly Part[],
  nameOf: (part: Part) => string,
): Part[] {
  const named = (part: Part): [string, Part] => [nameOf(part), part];
  return [...new Map([...these.map(named), ...others.map(named)]).values()];
}
