/** The graphs of a workflow as they would be: copies on which a batch is tried before anything changes. */

import type { Comfy } from "../../comfy/bridge";
import {
  findNode,
  type Graph,
  type GraphInput,
  type GraphNode,
  type GraphOutput,
  type NodeId,
  type Place,
  subgraphInput,
  subgraphOutput,
} from "../../graph/graph";
import { dropNode, type OutputPlace } from "../../graph/links";
import { inputReferred, nodeName, nodeReferred, outputReferred, type SlotReferred } from "../read/references";
import { ToolError } from "../tool";

/** `4.IMAGE`, or the node alone where one slot fits; single-step tools give node and slot apart. */
export type SlotReference = string | { node: string; slot?: string };

export interface DraftGraph {
  place: Place;
  /** Id of the subgraph's definition; undefined for the workflow's own graph. */
  definition: string | undefined;
  before: Graph;
  graph: Graph;
}

export interface Located {
  at: DraftGraph;
  node: GraphNode;
}

export interface LocatedSlot<Slot> extends Located {
  /** Undefined where none was named. */
  slot: SlotReferred<Slot> | undefined;
}

export class Draft {
  readonly graphs = new Map<string | undefined, DraftGraph>();
  private readonly names = new Map<string, Located | undefined>();
  private readonly gone = new Map<string, string>();
  private created = 0;

  readonly comfy: Comfy;

  constructor(comfy: Comfy) {
    this.comfy = comfy;
  }

  graphAt(place: Place = this.comfy.openPlace()): DraftGraph {
    const scope = this.comfy.scope(place);
    const definition = scope.kind === "subgraph" ? scope.id : undefined;
    const earlier = this.graphs.get(definition);
    if (earlier) return earlier;
    const before = this.comfy.graph(place);
    const opened = { place, definition, before, graph: structuredClone(before) };
    this.graphs.set(definition, opened);
    return opened;
  }

  /** By its name in this batch, its path from the workflow (`12:3`, `/3`), or its id or title in the open graph. */
  node(reference: string): Located {
    const wanted = reference.trim();
    if (this.names.has(wanted)) {
      const named = this.names.get(wanted);
      if (named) return named;
      throw new ToolError(`"${wanted}" was not made, since the operation that names it is refused.`);
    }
    const reason = this.gone.get(wanted);
    if (reason !== undefined) throw new ToolError(`Node ${wanted} ${reason} earlier in this batch.`);
    const path = /^(?:\d+[:/])*\d+$|^\/\d+$/.test(wanted) && /[:/]/.test(wanted) ? wanted : undefined;
    if (path === undefined) {
      const at = this.graphAt();
      return { at, node: nodeReferred(at.graph, wanted) };
    }
    const ids = path.split(/[:/]/).filter((part) => part !== "");
    const at = this.inside(ids.slice(0, -1), wanted);
    return { at, node: nodeReferred(at.graph, ids.at(-1) ?? "") };
  }

  /** Each node once, however often it is named. */
  nodes(references: readonly string[]): Located[] {
    const all = references.map((reference) => this.node(reference));
    return [...new Map(all.map((each) => [each.node, each])).values()];
  }

  /** The same for nodes that have to lie in one graph. */
  nodesTogether(references: readonly string[]): [DraftGraph, [GraphNode, ...GraphNode[]]] {
    const [first, ...others] = this.nodes(references);
    if (!first) throw new ToolError("No nodes were named.");
    const stray = others.find(({ at }) => at !== first.at);
    if (stray)
      throw new ToolError(`${nodeName(first.node)} and ${nodeName(stray.node)} lie in different graphs.`);
    return [first.at, [first.node, ...others.map(({ node }) => node)]];
  }

  /** The graph inside a subgraph node. */
  insideOf(reference: string): DraftGraph {
    const { at, node } = this.node(reference);
    if (!node.subgraph) throw new ToolError(`Node ${reference} is a ${node.type}, no subgraph.`);
    return this.graphAt([...at.place, node.id]);
  }

  output(reference: SlotReference): LocatedSlot<GraphOutput> {
    return this.slot(reference, subgraphInput, outputReferred);
  }

  input(reference: SlotReference): LocatedSlot<GraphInput> {
    return this.slot(reference, subgraphOutput, inputReferred);
  }

  /** The output that a link comes from. */
  outputAt(at: DraftGraph, { node: id, output: index }: OutputPlace): LocatedSlot<GraphOutput> {
    const node = (id === subgraphInput && boundaryNode(at.graph, id)) || nodeReferred(at.graph, id);
    const slot = node.outputs[index];
    return { at, node, slot: slot && { slot, index } };
  }

  /** The node that a slot belongs to, and what is said of the slot. */
  owner(reference: string): [Located, string | undefined] {
    return this.parted(reference, "");
  }

  /** A new node, in the draft only; under `id` where it takes the place of another. */
  add(at: DraftGraph, blank: GraphNode, { name, id }: { name?: string; id?: NodeId }): Located {
    const node = { ...blank, id: id ?? name ?? `new${++this.created}` };
    at.graph.nodes.push(node);
    const located = { at, node };
    this.gone.delete(node.id);
    if (id === undefined) this.names.set(node.id, located);
    if (name !== undefined) this.names.set(name, located);
    return located;
  }

  /** `reason` completes "Node 7 …". */
  drop({ at, node }: Located, reason: string): void {
    dropNode(at.graph, node.id);
    if (this.names.has(node.id)) this.names.set(node.id, undefined);
    this.gone.set(node.id, reason);
  }

  isNamed(name: string): boolean {
    return this.names.has(name);
  }

  /** Later operations hear that the node with this name does not exist. */
  failed(name: string): void {
    this.names.set(name, undefined);
  }

  /** The names given in this batch. */
  namesGiven(): [string, Located][] {
    return [...this.names].flatMap(([name, located]): [string, Located][] =>
      located && !/^new\d+$/.test(name) ? [[name, located]] : [],
    );
  }

  /** Ids of nodes that this batch adds; they get their own once they are in the graph. */
  isNew(id: NodeId): boolean {
    return this.names.has(id);
  }

  private slot<Slot>(
    reference: SlotReference,
    boundary: NodeId,
    referred: (node: GraphNode, reference: string) => SlotReferred<Slot>,
  ): LocatedSlot<Slot> {
    const [owner, slot] = this.parted(reference, boundary);
    return { ...owner, slot: slot === undefined ? undefined : referred(owner.node, slot) };
  }

  /** Names of nodes and slots may hold points: the first split whose left part is a node counts. */
  private parted(reference: SlotReference, boundary: NodeId): [Located, string | undefined] {
    if (typeof reference !== "string") return [this.nodeOrBoundary(reference.node, boundary), reference.slot];
    const parts = reference.trim().split(".");
    for (let count = 1; count < parts.length; count++) {
      const node = this.found(parts.slice(0, count).join("."), boundary);
      if (node) return [node, parts.slice(count).join(".")];
    }
    const whole = this.found(reference, boundary);
    if (whole) return [whole, undefined];
    return [this.nodeOrBoundary(parts[0] ?? reference, boundary), parts.slice(1).join(".") || undefined];
  }

  private found(reference: string, boundary: NodeId): Located | undefined {
    try {
      return this.nodeOrBoundary(reference, boundary);
    } catch {
      return undefined;
    }
  }

  /** Inside a subgraph, `input` stands for its own inputs and `output` for its own outputs. */
  private nodeOrBoundary(reference: string, boundary: NodeId): Located {
    const [, path, name] = /^(?:(\d+(?:[:/]\d+)*)[:/])?(input|output)$/.exec(reference.trim()) ?? [];
    if (name !== boundary) return this.node(reference);
    const at = path === undefined ? this.graphAt() : this.inside(path.split(/[:/]/), reference);
    const edge = boundaryNode(at.graph, boundary);
    return edge ? { at, node: edge } : this.node(reference);
  }

  private inside(ids: readonly NodeId[], reference: string): DraftGraph {
    for (let count = 1; count <= ids.length; count++) {
      const outer = this.graphAt(ids.slice(0, count - 1));
      const id = ids[count - 1] ?? "";
      const node = findNode(outer.graph, id);
      if (!node?.subgraph)
        throw new ToolError(
          `There is no node "${reference}": ${node ? `node ${id} is a ${node.type}, no subgraph` : `the workflow has no node ${id}`}.`,
          "Call getWorkflowInfo to see the nodes and their ids.",
        );
    }
    return this.graphAt(ids);
  }
}

/** The edge of a subgraph as a node, so that it can be connected like one. */
function boundaryNode({ scope, nodes }: Graph, id: NodeId): GraphNode | undefined {
  if (scope.kind !== "subgraph") return undefined;
  const edge = { title: scope.name, defaultTitle: scope.name, mode: "active", isInstalled: true } as const;
  const place = { position: { x: 0, y: 0 }, size: { width: 0, height: 0 }, widgets: [] };
  const outputs = (scope.inputs ?? []).map(({ name, type }, index) => ({
    name,
    type,
    linkedTo: nodes.flatMap((node) =>
      node.inputs.flatMap(({ linkedFrom, name: input }, slot) =>
        linkedFrom?.node === subgraphInput && linkedFrom.output === index
          ? [{ node: node.id, input: slot, name: input }]
          : [],
      ),
    ),
  }));
  const inputs = scope.outputs.map((slot) => ({ ...slot, isWidget: false, isOptional: true }));
  return id === subgraphInput
    ? { ...edge, ...place, id, type: "subgraph input", inputs: [], outputs }
    : { ...edge, ...place, id, type: "subgraph output", inputs, outputs: [] };
}
