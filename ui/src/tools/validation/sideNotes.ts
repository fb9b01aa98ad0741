/** What stops no run but may be an accident: bypassed nodes on its way, results that go nowhere or are gray. */

import { MOST_PLACES } from "../../graph/compact/workflow";
import {
  findNode,
  type Graph,
  type GraphNode,
  type LinkSource,
  type NodeId,
  type Place,
} from "../../graph/graph";
import { linkedNode, type PromptNodes } from "../../graph/prompt";
import { acceptsType } from "../../graph/slotTypes";
import { typeWord } from "../read/references";
import { type Installed, nodeAt, path, placeOf } from "./canvas";

/** Each bypassed node that something in the run is linked to, with the inputs that get nothing by it. */
export function bypassedOnTheWay(
  nodes: PromptNodes,
  needed: ReadonlySet<NodeId>,
  installed: Installed,
): string[] {
  const found = new Map<string, string[]>();
  for (const id of needed) {
    const place = placeOf(id);
    const graph = installed.graphAt(place);
    for (const { name, linkedFrom } of nodeAt(installed, id)?.inputs ?? []) {
      const isLost = linkedNode(nodes[id]?.inputs[name]) === undefined;
      for (const source of graph && linkedFrom ? bypassedFrom(graph, linkedFrom) : []) {
        const words = `${path(place, source.id)} ${typeWord(source)}`;
        const without = found.get(words) ?? [];
        found.set(words, without);
        const slot = `${id}.${name}`;
        if (isLost && !without.includes(slot)) without.push(slot);
      }
    }
  }
  return [...found].map(([words, without]) =>
    without.length === 0 ? words : `${words}: nothing reaches ${without.join(", ")}`,
  );
}

/** The bypassed nodes that a link comes through, the nearest first: each hands on what its own input of the type gets. */
function* bypassedFrom(graph: Graph, { node: id, output }: LinkSource): Generator<GraphNode, void> {
  const node = findNode(graph, id);
  if (node?.mode !== "bypassed") return;
  yield node;
  const type = node.outputs[output]?.type ?? "*";
  const fitting = node.inputs.filter((input) => acceptsType(type, input.type));
  const same = node.inputs[output];
  const { linkedFrom } = (same && fitting.includes(same) ? same : fitting[0]) ?? {};
  if (linkedFrom) yield* bypassedFrom(graph, linkedFrom);
}

/**
 * Nodes that would show or save a result, but are muted or bypassed: `9 SaveImage (muted)`. In the workflow's own graph,
 * then in its first thousand subgraphs.
 */
export function inactiveOutputs(installed: Installed): string[] {
  const found: string[] = [];
  const places: Place[] = [[]];
  for (const place of places)
    for (const node of installed.graphAt(place)?.nodes ?? []) {
      if (node.subgraph) {
        if (node.mode === "active" && places.length <= MOST_PLACES) places.push([...place, node.id]);
      } else if (node.mode !== "active" && installed.definitionOf(node.type)?.isOutput)
        found.push(`${path(place, node.id)} ${typeWord(node)} (${node.mode})`);
    }
  return found;
}

/** Samplers that keep part of a latent in which nothing is: `3.denoise=0.3 with 5 EmptyLatentImage`. */
export function keepingNothing(nodes: PromptNodes, needed: ReadonlySet<NodeId>): string[] {
  return [...needed].flatMap((id) => {
    const { denoise, latent_image: latent } = nodes[id]?.inputs ?? {};
    const source = linkedNode(latent) ?? "";
    const type = nodes[source]?.class_type ?? "";
    return typeof denoise === "number" && denoise < 1 && type.startsWith("Empty")
      ? [`${id}.denoise=${denoise} with ${source} ${type}`]
      : [];
  });
}

/** Outputs at the end of what leads to no output node: `112.IMAGE`. */
export function looseResults(
  nodes: PromptNodes,
  idle: readonly NodeId[],
  { definitionOf }: Installed,
): string[] {
  const used = new Set(
    Object.values(nodes).flatMap(({ inputs }) =>
      Object.values(inputs).flatMap((value) => linkedNode(value) ?? []),
    ),
  );
  return idle
    .filter((id) => !used.has(id))
    .flatMap((id) =>
      (definitionOf(nodes[id]?.class_type ?? "")?.outputs ?? [])
        .slice(0, 1)
        .map(({ name }) => `${id}.${name}`),
    );
}
