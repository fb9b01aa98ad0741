/** Where on the canvas that lies which ComfyUI runs: an id of a run is a path there. */

import type { Comfy, NodeDefinition, TypeReplacement } from "../../comfy/bridge";
import {
  findNode,
  type Graph,
  type GraphNode,
  type NodeId,
  type Place,
  subgraphInput,
} from "../../graph/graph";

export interface Installed {
  definitionOf(type: string): NodeDefinition | undefined;
  types(): readonly string[];
  replacementOf(type: string): TypeReplacement | undefined;
  /** A graph of the canvas; undefined where there is none. */
  graphAt(place: Place): Graph | undefined;
}

export function installedIn(comfy: Comfy): Installed {
  const graphs = new Map<string, Graph | undefined>();
  const read = (place: Place) => {
    try {
      return comfy.graph(place);
    } catch {
      return undefined;
    }
  };
  return {
    definitionOf: (type) => comfy.nodeDefinition(type),
    types: () => comfy.nodeTypes(),
    replacementOf: (type) => comfy.replacementOf(type),
    graphAt(place) {
      const key = place.join(":");
      if (!graphs.has(key)) graphs.set(key, read(place));
      return graphs.get(key);
    },
  };
}

export interface CanvasInput {
  place: Place;
  graph: Graph;
  node: GraphNode;
  name: string;
}

export function placeOf(id: NodeId): Place {
  return id.split(":").slice(0, -1);
}

export function nodeAt({ graphAt }: Installed, id: NodeId): GraphNode | undefined {
  const graph = graphAt(placeOf(id));
  return graph && findNode(graph, id.split(":").at(-1) ?? "");
}

/** Whether a subgraph around the node is muted or bypassed: some pages put such nodes into the prompt all the same. */
export function isInsideInactive(installed: Installed, id: NodeId): boolean {
  const around = placeOf(id).join(":");
  if (around === "") return false;
  return (nodeAt(installed, around)?.mode ?? "active") !== "active" || isInsideInactive(installed, around);
}

/** As a model names a node from the workflow's own graph. */
export function path(place: Place, id: NodeId): string {
  return [...place, id].join(":");
}

/** The input that decides: of an inner node that its subgraph's input feeds, that of the subgraph's node. */
export function decidingInput(installed: Installed, id: NodeId, name: string): CanvasInput | undefined {
  const place = placeOf(id);
  const graph = installed.graphAt(place);
  const node = nodeAt(installed, id);
  if (!graph || !node) return undefined;
  const from = node.inputs.find((input) => input.name === name)?.linkedFrom;
  if (from?.node !== subgraphInput || place.length === 0) return { place, graph, node, name };
  return decidingInput(installed, place.join(":"), from.name);
}

/** What feeds an input, in the same graph. */
export function sourceOf({ graph, node, name }: CanvasInput): GraphNode | undefined {
  const from = node.inputs.find((input) => input.name === name)?.linkedFrom;
  return from && findNode(graph, from.node);
}
