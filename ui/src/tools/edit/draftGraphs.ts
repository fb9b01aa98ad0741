/** The copies of graphs that a draft has opened, and the insides of subgraphs that it makes. */

import type { Comfy } from "../../comfy/bridge";
import { findNode, type Graph, type GraphNode, type NodeId, type Place } from "../../graph/graph";
import { nodePath } from "../../graph/nodePath";
import { noSuchNode, ToolError } from "../toolError";
import { HeldBefore } from "./heldBefore";

export interface DraftGraph {
  place: Place;
  /** Id of the subgraph's definition; undefined for the workflow's own graph. */
  definition: string | undefined;
  before: HeldBefore;
  graph: Graph;
}

export interface Located {
  at: DraftGraph;
  node: GraphNode;
}

export class DraftGraphs {
  readonly opened = new Map<string | undefined, DraftGraph>();
  /** The insides of subgraphs that this batch makes, by the draft's ids of their nodes. */
  private readonly made = new Map<NodeId, DraftGraph>();
  private readonly comfy: Comfy;

  constructor(comfy: Comfy) {
    this.comfy = comfy;
  }

  isMade(id: NodeId): boolean {
    return this.made.has(id);
  }

  at(place: Place): DraftGraph {
    const newest = place.findLastIndex((id) => this.made.has(id));
    if (newest >= 0) return this.insideMade(place, newest);
    const scope = this.comfy.scope(place);
    const definition = scope.kind === "subgraph" ? scope.id : undefined;
    const earlier = this.opened.get(definition);
    if (earlier) return earlier;
    const graph = this.comfy.briefly(place);
    const opened = { place, definition, before: new HeldBefore(graph), graph };
    if (place.join() !== this.comfy.openPlace().join())
      for (const node of graph.nodes) node.path = nodePath(place, node.id, this.comfy.openPlace());
    this.opened.set(definition, opened);
    return opened;
  }

  /** The way goes on through `place`, which at `index` has the node of a subgraph that this batch makes. */
  private insideMade(place: Place, index: number): DraftGraph {
    return place.slice(index + 1).reduce(
      (outer, id) => {
        const definition = findNode(outer.graph, id)?.subgraph?.id;
        const inner = definition === undefined ? undefined : this.opened.get(definition);
        if (inner) return inner;
        throw new ToolError(
          `Node ${id} went into a subgraph in this batch.`,
          "What is inside it can be edited in the next one.",
        );
      },
      this.made.get(place[index] ?? "") ?? this.at([]),
    );
  }

  /** Where these ids lead from the workflow; `reference` is how that was said. */
  inside(ids: readonly NodeId[], reference: string): DraftGraph {
    for (let count = 1; count <= ids.length; count++) {
      const outer = this.at(ids.slice(0, count - 1));
      const id = ids[count - 1] ?? "";
      const node = findNode(outer.graph, id);
      if (!node?.subgraph)
        throw noSuchNode(
          `There is no node "${reference}": ${node ? `node ${id} is a ${node.type}, no subgraph` : `the workflow has no node ${id}`}.`,
          "Call getWorkflowInfo to see the nodes and their ids.",
        );
    }
    return this.at(ids);
  }

  /** What is found in each graph of the workflow, each looked at once. */
  inAll<Found>(find: (graph: Graph, at: DraftGraph) => Found[]): Found[] {
    const seen = new Set<DraftGraph>();
    const visit = (place: Place): Found[] => {
      const at = this.at(place);
      if (seen.has(at)) return [];
      seen.add(at);
      const inside = at.graph.nodes.flatMap(({ id, subgraph }) => (subgraph ? visit([...place, id]) : []));
      return [...find(at.graph, at), ...inside];
    };
    return visit([]);
  }

  /** The inside of a subgraph that this batch makes of nodes of `at`. */
  make(at: DraftGraph, id: NodeId, definition: string, graph: Graph): DraftGraph {
    const inside = { place: [...at.place, id], definition, before: at.before, graph };
    this.opened.set(definition, inside);
    this.made.set(id, inside);
    return inside;
  }
}
