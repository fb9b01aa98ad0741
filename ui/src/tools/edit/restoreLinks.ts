/** Redraws the links that ComfyUI loses when it moves nodes into a subgraph. */

import type { GraphEditor } from "../../comfy/bridge";
import {
  findNode,
  type Graph,
  type LinkSource,
  type NodeId,
  type Place,
  subgraphInput,
  subgraphOutput,
} from "../../graph/graph";
import { isSameOutput, type OutputPlace } from "../../graph/links";

export interface NamedLink {
  from: LinkSource;
  to: { node: NodeId; input: string };
}

/** A graph, and the inside of the subgraph that `instance` stands for in it. */
export interface Nested {
  outer: Graph;
  inner: Graph;
  instance: NodeId;
}

/** All links into these nodes and into those that they feed: where such a node loses one, its others may move up. */
export function linksAround(graph: Graph, moved: readonly NodeId[]): NamedLink[] {
  const isMoved = (id: NodeId) => moved.includes(id);
  const targets = [
    ...graph.nodes.map(({ id, inputs }) => ({ node: id, inputs })),
    { node: subgraphOutput, inputs: inputsOf(graph, subgraphOutput) },
  ];
  return targets
    .filter(
      ({ node, inputs }) =>
        isMoved(node) || inputs.some(({ linkedFrom }) => linkedFrom && isMoved(linkedFrom.node)),
    )
    .flatMap(({ node, inputs }) =>
      inputs.flatMap(({ name, linkedFrom }) =>
        linkedFrom ? [{ from: linkedFrom, to: { node, input: name } }] : [],
      ),
    );
}

/** Those that are there, and those that were lost and into whose inputs nothing else was linked since. */
export function stillMeant(
  links: readonly NamedLink[],
  lost: readonly NamedLink[],
  nested: Nested,
): readonly NamedLink[] {
  return links.filter(
    (link) => isThere(link, nested) || (lost.includes(link) && sourceOf(link, nested) === undefined),
  );
}

/** Returns the links that are still missing. `place` is that of the subgraph. */
export function restoreLinks(
  links: readonly NamedLink[],
  editor: GraphEditor | undefined,
  place: Place,
  read: () => Nested,
): NamedLink[] {
  const missing = () => {
    const nested = read();
    return links.filter((link) => !isThere(link, nested));
  };
  const lost = missing();
  if (lost.length === 0 || !editor) return lost;
  for (const { from, to } of lost) {
    const nested = read();
    const isInside = holds(nested.inner, to.node);
    const inputs = inputsOf(isInside ? nested.inner : nested.outer, to.node);
    const input = inputs.findIndex(({ name }) => name === to.input);
    const source = (isInside ? sourceInside : sourceOutside)(nested, from);
    if (source && input >= 0)
      (isInside ? editor.within(place) : editor).connect(source, { node: to.node, input });
  }
  return missing();
}

/** Cuts links into moved nodes that these did not have: a page of 1.58 gives one of a row to the next one, too. */
export function dropStrays(
  before: readonly NamedLink[],
  moved: readonly NodeId[],
  editor: GraphEditor,
  { inner }: Nested,
): void {
  for (const id of moved)
    for (const [input, { name, linkedFrom }] of inputsOf(inner, id).entries())
      if (linkedFrom && !before.some(({ to }) => to.node === id && to.input === name))
        editor.disconnect({ node: id, input });
}

function sourceOf({ to }: NamedLink, { outer, inner }: Nested): LinkSource | undefined {
  return inputsOf(holds(inner, to.node) ? inner : outer, to.node).find(({ name }) => name === to.input)
    ?.linkedFrom;
}

function isThere(link: NamedLink, nested: Nested): boolean {
  const { from, to } = link;
  const { outer, inner, instance } = nested;
  const isInside = holds(inner, to.node);
  const source = sourceOf(link, nested);
  if (!source) return false;
  const isThrough = source.node === (isInside ? subgraphInput : instance);
  if (!isThrough) return isSameOutput(source, from);
  const beyond = isInside ? inputsOf(outer, instance) : inputsOf(inner, subgraphOutput);
  return beyond.some(({ name, linkedFrom }) => name === source.name && isSameOutput(linkedFrom, from));
}

/** What stands inside for a source: itself, or the input of the subgraph that it feeds. */
function sourceInside({ outer, inner, instance }: Nested, from: LinkSource): OutputPlace | undefined {
  if (holds(inner, from.node)) return from;
  const slot = inputsOf(outer, instance).find(({ linkedFrom }) => isSameOutput(linkedFrom, from));
  const ports = inner.scope.kind === "subgraph" ? (inner.scope.inputs ?? []) : [];
  return placeOf(subgraphInput, ports, slot?.name);
}

/** What stands outside for a source: itself, or the output of the subgraph that it feeds. */
function sourceOutside({ outer, inner, instance }: Nested, from: LinkSource): OutputPlace | undefined {
  if (!holds(inner, from.node)) return from;
  const port = inputsOf(inner, subgraphOutput).find(({ linkedFrom }) => isSameOutput(linkedFrom, from));
  return placeOf(instance, findNode(outer, instance)?.outputs ?? [], port?.name);
}

function placeOf(
  node: NodeId,
  slots: readonly { name: string }[],
  wanted: string | undefined,
): OutputPlace | undefined {
  const output = slots.findIndex(({ name }) => name === wanted);
  return output < 0 ? undefined : { node, output };
}

function inputsOf(graph: Graph, node: NodeId): readonly { name: string; linkedFrom?: LinkSource }[] {
  if (node !== subgraphOutput) return findNode(graph, node)?.inputs ?? [];
  return graph.scope.kind === "subgraph" ? graph.scope.outputs : [];
}

function holds(graph: Graph, node: NodeId): boolean {
  return findNode(graph, node) !== undefined;
}
