/** A large graph by its parts: groups, and chains of nodes that hang together. */

import type { NodeId } from "../graph";
import {
  type CompactGraph,
  type CompactNode,
  type CompactWorkflow,
  instancePaths,
  noteTypes,
} from "./workflow";
import { groupsInOrder, groupWord } from "./write";

export interface Part {
  /** `group "Upscale"` or `chain 345`, after its first node. */
  name: string;
  /** With its box, of a group. */
  title?: string;
  nodes: CompactNode[];
}

const idsInLine = 20;

/**
 * Each node is in one part: in the smallest group that has it, else in its chain. Notes are in none, unless a group has
 * nothing else. A group without nodes is a part too; one whose nodes all are in smaller ones is none.
 */
function partsOf({ nodes, groups }: CompactGraph): Part[] {
  const smallestLast = groups.toSorted((one, other) => other.nodes.length - one.nodes.length);
  const groupOf = new Map(smallestLast.flatMap((group) => group.nodes.map((id) => [id, group] as const)));
  const told = nodes.filter(({ type }) => !noteTypes.has(type));
  return [
    ...groupsInOrder(groups).flatMap((group) => {
      const own = nodes.filter(({ id }) => groupOf.get(id) === group);
      const run = own.filter(({ type }) => !noteTypes.has(type));
      if (own.length === 0 && group.nodes.length > 0) return [];
      const name = `group ${JSON.stringify(group.title)}`;
      return [{ name, title: groupWord(group), nodes: run.length > 0 ? run : own }];
    }),
    ...chainsOf(told.filter(({ id }) => !groupOf.has(id))),
  ];
}

function chainsOf(nodes: readonly CompactNode[]): Part[] {
  const chainOf = new Map(nodes.map((node) => [node.id, [node]]));
  for (const { id, links } of nodes)
    for (const { source } of links) {
      const [one, other] = [chainOf.get(id), chainOf.get(source.node)];
      if (!one || !other || one === other) continue;
      one.push(...other);
      for (const node of other) chainOf.set(node.id, one);
    }
  return [...new Set(chainOf.values())].map((chain) => {
    const own = new Set(chain);
    const inOrder = nodes.filter((node) => own.has(node));
    return { name: `chain ${inOrder[0]?.id}`, nodes: inOrder };
  });
}

interface Brevity {
  mostTypes: number;
  hasSources: boolean;
}

/**
 * `group "Upscale" 24 nodes: KSampler*2 VAEDecode +5 <chain 12`: so many of its types, the most frequent first, and from
 * which parts it takes something. Nodes that hang together with none stand in one line for each type.
 */
export function outlineParts(workflow: CompactWorkflow, { mostTypes, hasSources }: Brevity): string[] {
  const paths = instancePaths(workflow);
  return [
    ...(mostTypes === 0 ? barePartLines(workflow) : partLines(workflow, { mostTypes, hasSources })),
    ...workflow.subgraphs.map(({ key, name, nodes }) => {
      const at = paths.get(key) ?? [];
      const where = at.length > 0 ? ` at ${at.join(" ")}` : "";
      return `subgraph ${key} ${JSON.stringify(name)}${where} ${contents(nodes, mostTypes)}`;
    }),
  ];
}

/** One line for all groups of a title, which are read together: `group "Load" 4 2 1 nodes`. */
function barePartLines(graph: CompactGraph): string[] {
  const sizes = new Map<string, number[]>();
  for (const { name, nodes } of partsOf(graph)) {
    const kind = nodes.length === 1 && name.startsWith("chain") ? `alone ${nodes[0]?.type}` : name;
    sizes.set(kind, [...(sizes.get(kind) ?? []), nodes.length]);
  }
  return [...sizes].map(
    ([name, counts]) => `${name} ${name.startsWith("alone") ? counts.length : counts.join(" ")} nodes`,
  );
}

function partLines(graph: CompactGraph, { mostTypes, hasSources }: Brevity): string[] {
  const parts = partsOf(graph);
  const partOf = new Map(parts.flatMap((part) => part.nodes.map(({ id }) => [id, part] as const)));
  const isAlone = ({ name, nodes }: Part) => nodes.length === 1 && name.startsWith("chain");
  const alone = new Map<string, NodeId[]>();
  for (const { nodes } of parts.filter(isAlone))
    for (const { id, type } of nodes) alone.set(type, [...(alone.get(type) ?? []), id]);
  const sources = (part: Part) => [
    ...new Set(
      part.nodes
        .flatMap(({ links }) => links.map(({ source }) => partOf.get(source.node)))
        .filter((from) => from && from !== part)
        .map((from) => from?.name),
    ),
  ];
  return [
    ...parts
      .filter((part) => !isAlone(part))
      .map((part) => {
        const from = hasSources ? sources(part) : [];
        return `${part.title ?? part.name} ${contents(part.nodes, mostTypes)}${from.length > 0 ? ` <${from.join(", ")}` : ""}`;
      }),
    ...[...alone].flatMap(([type, ids]) =>
      Array.from(
        { length: Math.ceil(ids.length / idsInLine) },
        (_, line) => `alone ${type}: ${ids.slice(line * idsInLine, (line + 1) * idsInLine).join(" ")}`,
      ),
    ),
  ];
}

function contents(nodes: readonly CompactNode[], mostTypes: number): string {
  const counts = new Map<string, number>();
  for (const { type } of nodes) counts.set(type, (counts.get(type) ?? 0) + 1);
  const types = [...counts].sort(([, one], [, other]) => other - one);
  const words = types.slice(0, mostTypes).map(([type, count]) => (count > 1 ? `${type}*${count}` : type));
  const more = types.length - words.length;
  const count = `${nodes.length} node${nodes.length === 1 ? "" : "s"}`;
  return words.length === 0 ? count : `${count}: ${[...words, ...(more > 0 ? [`+${more}`] : [])].join(" ")}`;
}

/** The nodes that are meant by the name of a part or of a subgraph, by their paths from this graph; undefined for others. */
export function nodesOfPart(
  workflow: CompactWorkflow,
  graph: CompactGraph,
  reference: string,
): string[] | undefined {
  const wanted = reference.trim().toLowerCase();
  const isMeant = (names: readonly string[]) => names.some((name) => name.toLowerCase() === wanted);
  const isCalled = (title: string) => isMeant([title, `group ${title}`, `group ${JSON.stringify(title)}`]);
  const called = graph.groups.filter(({ title }) => isCalled(title));
  const counts = new Map<string, number>();
  const inOrder = groupsInOrder(graph.groups).map(({ title, nodes }) => {
    const count = (counts.get(title) ?? 0) + 1;
    counts.set(title, count);
    return { title: `${title} (${count})`, nodes };
  });
  const groups = called.length > 0 ? called : inOrder.filter(({ title }) => isCalled(title));
  if (groups.length > 0) return [...new Set(groups.flatMap(({ nodes }) => nodes))];
  const chain = partsOf(graph).find(({ name }) => isMeant([name]));
  if (chain) return chain.nodes.map(({ id }) => id);
  const inner = workflow.subgraphs.find(({ key, name }) =>
    isMeant([key, name, `subgraph ${key}`, `subgraph ${name}`, `subgraph ${JSON.stringify(name)}`]),
  );
  const [path] = (inner && instancePaths(workflow).get(inner.key)) ?? [];
  return inner && path !== undefined ? inner.nodes.map(({ id }) => `${path}:${id}`) : undefined;
}
