/** The graphs of a workflow as they would be: copies on which a batch is tried before anything changes. */

import type { Comfy } from "../../comfy/bridge";
import { isFullRow, openNameOf, settleSlots } from "../../comfy/dynamicSlots";
import {
  findNode,
  type GraphGroup,
  type GraphInput,
  type GraphNode,
  type GraphOutput,
  type NodeId,
  type Place,
  type Point,
  type Rectangle,
  type Size,
  subgraphInput,
  subgraphOutput,
} from "../../graph/graph";
import { dropNode, type InputPlace, type OutputPlace } from "../../graph/links";
import { nodePath } from "../../graph/nodePath";
import { packed } from "../../graph/pack";
import { homesOf, placeOfInstance } from "../../graph/placeInstance";
import { bounds, outline } from "../../graph/placement";
import type { UnwiredLink } from "../../graph/unwired";
import { idNamed, pathNamed } from "../read/givenNames";
import { placeOfKey } from "../read/nodesMeant";
import {
  inputReferred,
  nodeName,
  nodeReferred,
  nodesReferred,
  outputReferred,
  type SlotReferred,
  widgetNamed,
} from "../read/references";
import { ToolError } from "../toolError";
import type { AskedPlaces } from "./askedPlaces";
import { boundaryNode } from "./boundary";
import { type DraftGraph, DraftGraphs, type Located } from "./draftGraphs";
import { groupMeant, type LocatedGroup } from "./draftGroups";
import { DraftNames } from "./draftNames";
import { asOne, faultOf } from "./faults";
import type { RemovedNode } from "./placesTaken";
import { withHolders, withWayTo } from "./wayToInput";

/** `4.IMAGE`, or the node alone where one slot fits; single-step tools give node and slot apart. */
export type SlotReference = string | { node: string; slot?: string };

export interface LocatedSlot<Slot> extends Located {
  /** Undefined where none was named. */
  slot: SlotReferred<Slot> | undefined;
}

export class Draft {
  /** New nodes that nobody has given a place, with the box of the node that each replaces. */
  readonly unplaced = new Map<GraphNode, Rectangle | undefined>();
  /** Nodes that the batch says itself where to put, with where they were. */
  readonly placed = new Map<GraphNode, Point>();
  /** The same, those together that one operation puts somewhere. */
  readonly asked: AskedPlaces[] = [];
  /** New nodes that go beside a node or a group, once all else has its place. */
  readonly beside = new Map<GraphNode, Located | LocatedGroup>();
  /** Nodes that it takes away, as they were. */
  readonly removed: RemovedNode[] = [];
  readonly comfy: Comfy;
  private readonly feeds: readonly UnwiredLink[];
  private readonly names = new DraftNames();
  /** The groups that this batch has made and named. */
  private readonly groups = new Map<string, LocatedGroup>();
  private readonly copies: DraftGraphs;

  /** `feeds` are the links without a wire that there are. */
  constructor(comfy: Comfy, feeds: readonly UnwiredLink[] = []) {
    this.comfy = comfy;
    this.feeds = feeds;
    this.copies = new DraftGraphs(comfy);
  }

  /** The copies that the draft is of, by the definitions of their subgraphs. */
  get graphs(): ReadonlyMap<string | undefined, DraftGraph> {
    return this.copies.opened;
  }

  /** What feeds this input without a wire, as long as the batch leaves its source and what hands it on. */
  feedOf(at: DraftGraph, { id }: GraphNode, input: string): UnwiredLink | undefined {
    const isThere = (node: NodeId | undefined) =>
      node === undefined || /[:/]/.test(node) || findNode(at.graph, node)?.mode === "active";
    return this.feeds.find(
      (link) =>
        link.node === id &&
        link.input === input &&
        this.graphAt(link.place) === at &&
        isThere(link.source) &&
        isThere(link.via),
    );
  }

  graphAt(place: Place = this.comfy.openPlace()): DraftGraph {
    return this.copies.at(place);
  }

  /** By its name in this batch or an earlier one, its path from the workflow (`12:3`, `/3`), or its id or title in the open graph. */
  node(reference: string): Located {
    const wanted = reference.trim();
    const named = this.names.node(wanted) ?? this.namedInside(wanted);
    if (named) return named;
    const path = this.path(wanted);
    const at = path ? this.copies.inside(path.slice(0, -1), wanted) : this.graphAt();
    const id = path?.at(-1) ?? wanted;
    const reason = this.names.whyGone(at, id);
    if (reason !== undefined) throw new ToolError(`Node ${wanted} ${reason} earlier in this batch.`);
    return {
      at,
      node: nodeReferred(at.graph, id, (wanted) =>
        this.copies.inAll((graph) => nodesReferred(graph, wanted)),
      ),
    };
  }

  /** Nodes of all graphs with a widget of this name. */
  having(widget: string): GraphNode[] {
    return this.copies.inAll(({ nodes }) => nodes.filter((node) => widgetNamed(node, widget)));
  }

  /** What it is called while the graph is open that is open now. */
  pathOf({ at, node }: Located): string {
    return nodePath(at.place, node.id, this.comfy.openPlace());
  }

  /** `12:3.MODEL`, likewise. */
  slotPath(at: DraftGraph, node: NodeId, slot: string): string {
    return `${nodePath(at.place, node, this.comfy.openPlace())}.${slot}`;
  }

  /** `12:blur`, where this batch has given the name to a node in there. */
  private namedInside(reference: string): Located | undefined {
    const [, outer, name = ""] = /^(.*)[:/](.*)$/s.exec(reference) ?? [];
    if (outer === undefined || !this.names.has(name)) return undefined;
    const named = this.names.node(name);
    const place = this.path(`${outer}:0`)?.slice(0, -1);
    return place && named?.at.place.join() === place.join() ? named : undefined;
  }

  /** The ids of `12:3`, `/3`, `S4:3` as readings call a subgraph, or of what a batch has given a name. */
  private path(reference: string): NodeId[] | undefined {
    const parts = reference.split(/[:/]/);
    const [first = "", ...others] = parts;
    const named = pathNamed(this.comfy, first);
    if (others.length === 0) return named;
    const outer = this.names.get(first);
    if (outer?.node.subgraph) return [...outer.at.place, ...parts];
    const key = named ?? placeOfKey(this.comfy, first);
    const given = key ? [...key, ...others] : first === "" ? others : parts;
    const place = given.slice(0, -1);
    const ids = [...place, idNamed(this.comfy, place, given.at(-1) ?? "") ?? given.at(-1) ?? ""];
    return ids.every((id) => /^\d+$/.test(id)) ? ids : undefined;
  }

  /** Each node once, however often it is named. */
  nodes(references: readonly string[]): Located[] {
    return this.each(references, (reference) => [this.node(reference)]);
  }

  /** The same, where the title of a group stands for the nodes in it. */
  nodesAndGroups(references: readonly string[]): Located[] {
    return this.each(references, (reference) => {
      const named = this.nodeOrGroup(reference);
      return "group" in named ? membersOf(named) : [named];
    });
  }

  /** By its name in this batch, or by its title, also as `group "Upscale"`, where no node goes by that. */
  nodeOrGroup(reference: string): Located | LocatedGroup {
    const wanted = reference.trim();
    const made = this.groups.get(wanted);
    if (made) return made;
    const isNode =
      this.isNamed(wanted) ||
      (!/^group\s+"/i.test(wanted) && nodesReferred(this.graphAt().graph, wanted).length > 0);
    const group = isNode ? undefined : groupMeant(this, this.copies, wanted);
    return group ?? this.node(reference);
  }

  nodesOrGroups(references: readonly string[]): (Located | LocatedGroup)[] {
    return withoutFaults(references, (reference) => [this.nodeOrGroup(reference)]);
  }

  private each(references: readonly string[], find: (reference: string) => Located[]): Located[] {
    const all = withoutFaults(references, find);
    return [...new Map(all.map((each) => [each.node, each])).values()];
  }

  /** The same for nodes that have to lie in one graph. */
  nodesTogether(references: readonly string[]): [DraftGraph, [GraphNode, ...GraphNode[]]] {
    return this.together(this.nodes(references));
  }

  /** The same, where the title of a group stands for the nodes in it. */
  nodesAndGroupsTogether(references: readonly string[]): [DraftGraph, [GraphNode, ...GraphNode[]]] {
    return this.together(this.nodesAndGroups(references));
  }

  private together([first, ...others]: readonly Located[]): [DraftGraph, [GraphNode, ...GraphNode[]]] {
    if (!first) throw new ToolError("No nodes were named.");
    const stray = others.find(({ at }) => at !== first.at);
    if (stray)
      throw new ToolError(`${nodeName(first.node)} and ${nodeName(stray.node)} lie in different graphs.`);
    return [first.at, [first.node, ...others.map(({ node }) => node)]];
  }

  /** The graph inside a subgraph node. */
  insideOf(reference: string): DraftGraph {
    const { at, node } = this.node(reference);
    if (!node.subgraph) throw new ToolError(`${nodeName(node)} is no subgraph.`);
    return this.graphAt([...at.place, node.id]);
  }

  output(reference: SlotReference): LocatedSlot<GraphOutput> {
    return this.slot(reference, subgraphInput, outputReferred);
  }

  input(reference: SlotReference): LocatedSlot<GraphInput> {
    return this.slot(reference, subgraphOutput, (node, name) => this.inputNamed(node, name));
  }

  /** An input of this node, by its name or by that of a growing row, whose next open input it is. */
  inputOf(located: Located, reference: string): SlotReferred<GraphInput> {
    this.settle(located);
    return this.inputNamed(located.node, reference);
  }

  private inputNamed(node: GraphNode, reference: string): SlotReferred<GraphInput> {
    const definition = this.comfy.nodeDefinition(node.type);
    const wanted = reference.trim();
    const open = definition && openNameOf(node, definition, wanted);
    if (definition && open === undefined && isFullRow(node, definition, wanted))
      throw new ToolError(
        `${nodeName(node)} takes no more ${wanted}: all that it can have are linked.`,
        "Disconnect one first, name the one to replace, or take a second such node.",
      );
    try {
      return inputReferred(node, open ?? wanted);
    } catch (error) {
      const others = this.copies.inAll(({ nodes }) => nodes.filter((each) => hasInput(each, wanted)));
      throw withWayTo(wanted, node, definition, withHolders(wanted, others, faultOf(error)));
    }
  }

  /** The output that a link comes from. */
  outputAt(at: DraftGraph, { node: id, output: index }: OutputPlace): LocatedSlot<GraphOutput> {
    const node = (id === subgraphInput && boundaryNode(at.graph, id)) || nodeReferred(at.graph, id);
    const slot = node.outputs[index];
    return { at, node, slot: slot && { slot, index } };
  }

  /** The input that a link leads to. */
  inputAt(at: DraftGraph, { node: id, input: index }: InputPlace): LocatedSlot<GraphInput> {
    const node = (id === subgraphOutput && boundaryNode(at.graph, id)) || nodeReferred(at.graph, id);
    const slot = node.inputs[index];
    return { at, node, slot: slot && { slot, index } };
  }

  /** The node that a slot belongs to, and what is said of the slot. */
  owner(reference: string): [Located, string | undefined] {
    return this.parted(reference, "");
  }

  /** A new node, in the draft only; under `id` where it takes the place of another. */
  add(at: DraftGraph, blank: GraphNode, { name, id }: { name?: string; id?: NodeId }): Located {
    const node = { ...blank, id: id ?? name ?? this.names.newId() };
    at.graph.nodes.push(node);
    const located = { at, node };
    this.names.isBack(at, node.id);
    if (id === undefined) this.names.give(node.id, located);
    if (name !== undefined) this.names.give(name, located);
    return located;
  }

  standBeside({ node }: Located, host: Located | LocatedGroup): void {
    this.unplaced.delete(node);
    this.beside.set(node, host);
  }

  /** `reason` completes "Node 7 …". */
  drop({ at, node }: Located, reason: string): void {
    dropNode(at.graph, node.id);
    this.names.move(node.id, undefined);
    this.names.leave(at, node.id, reason);
  }

  /** Puts nodes into a new subgraph, where what names them in this batch finds them. */
  pack(
    at: DraftGraph,
    nodes: readonly GraphNode[],
    { name, title }: { name?: string; title: string },
  ): Located {
    const id = name ?? this.names.newId();
    const instance: GraphNode = {
      ...{ id, title, type: `new ${id}`, defaultTitle: title, mode: "active", isInstalled: true },
      ...{ inputs: [], outputs: [], widgets: [], position: { x: 0, y: 0 }, size: { width: 0, height: 0 } },
      subgraph: { id: `new ${id}`, name: title },
    };
    const ids = nodes.map((node) => node.id);
    const graph = packed(at.graph, ids, instance);
    instance.size = sizeOfInstance(instance);
    const hasPlace = (node: GraphNode) => !this.unplaced.has(node) && !this.beside.has(node);
    const placed = nodes.filter(hasPlace);
    if (placed.length === 0) this.unplaced.set(instance, undefined);
    else {
      instance.position = amid(placed, instance.size);
      const others = at.graph.nodes.filter(hasPlace);
      const left = { boxes: placed.map(outline), homes: homesOf(at.graph.groups, ids) };
      instance.position = placeOfInstance({ ...at.graph, nodes: others }, instance, left);
    }
    const inside = this.copies.make(at, id, instance.type, graph);
    for (const node of nodes) {
      this.names.move(node.id, { at: inside, node });
      this.names.leave(
        at,
        node.id,
        name === undefined ? "went into a subgraph that has no name (as)" : `became ${name}:${node.id}`,
      );
    }
    const located = { at, node: instance };
    this.names.give(id, located);
    return located;
  }

  /** A new group, in the draft only. */
  /** Whether it stands for a subgraph that this batch makes. */
  hasPacked({ id }: GraphNode): boolean {
    return this.copies.isMade(id);
  }

  addGroup(at: DraftGraph, group: GraphGroup, name: string | undefined): void {
    const index = at.graph.groups.push(group) - 1;
    if (name !== undefined) this.groups.set(name, { at, group, index });
  }

  /** The node that lies in this graph in the end: itself, or that of the subgraph that it went into. */
  holderOf({ graph }: DraftGraph, node: GraphNode): GraphNode | undefined {
    return graph.nodes.find(
      (each) =>
        each === node ||
        (each.subgraph && this.graphs.get(each.subgraph.id)?.graph.nodes.some((inner) => inner === node)),
    );
  }

  isNamed(name: string): boolean {
    return this.names.has(name) || this.groups.has(name);
  }

  /** Later operations hear that the node with this name does not exist. */
  failed(name: string): void {
    this.names.failed(name);
  }

  /** The names given in this batch. */
  namesGiven(): [string, Located][] {
    return this.names.given();
  }

  /** Ids of nodes that this batch adds; they get their own once they are in the graph. */
  isNew(id: NodeId): boolean {
    return this.names.has(id);
  }

  /** Whether this batch adds it, or puts it in the place of another. */
  isMade(node: GraphNode): boolean {
    return this.isNew(node.id) || this.unplaced.has(node);
  }

  /** Whether the batch says where it is to stand. */
  isPlaceGiven(node: GraphNode): boolean {
    return this.beside.has(node) || this.asked.some(({ nodes }) => nodes.includes(node));
  }

  private slot<Slot>(
    reference: SlotReference,
    boundary: NodeId,
    referred: (node: GraphNode, reference: string) => SlotReferred<Slot>,
  ): LocatedSlot<Slot> {
    const [owner, slot] = this.parted(reference, boundary);
    this.settle(owner);
    return { ...owner, slot: slot === undefined ? undefined : referred(owner.node, slot) };
  }

  /** Its slots are by now those that the links of the batch give it. */
  private settle({ at, node }: Located): void {
    const definition = this.comfy.nodeDefinition(node.type);
    if (definition) settleSlots(at.graph, node, definition);
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
    const [, path, name] = /^(?:(.+)[:/])?(input|output)$/.exec(reference.trim()) ?? [];
    if (name !== boundary) return this.node(reference);
    const at = path === undefined ? this.graphAt() : this.insideOf(path);
    const edge = boundaryNode(at.graph, boundary);
    return edge ? { at, node: edge } : this.node(reference);
  }
}

/** About what the page makes it, with nodes as elements, too. */
function sizeOfInstance({ inputs, outputs }: GraphNode): Size {
  return { width: 240, height: 60 + 20 * Math.max(inputs.length, outputs.length) };
}

/** Where the page puts a node in the place of these. */
function amid(nodes: readonly GraphNode[], { width, height }: Size): Point {
  const all = bounds(nodes.map(({ position, size }) => ({ ...position, ...size })));
  return { x: Math.round(all.x + (all.width - width) / 2), y: Math.round(all.y + (all.height - height) / 2) };
}

/** The nodes that are left of it. */
function membersOf({ at, group }: LocatedGroup): Located[] {
  const members = group.nodes.flatMap((id) => findNode(at.graph, id) ?? []);
  if (members.length === 0) throw new ToolError(`No node lies in the group "${group.title}".`);
  return members.map((node) => ({ at, node }));
}

/** Throws the faults of all together. */
function withoutFaults<Found>(
  references: readonly string[],
  find: (reference: string) => readonly Found[],
): Found[] {
  const faults: ToolError[] = [];
  const all = references.flatMap((reference) => {
    try {
      return find(reference);
    } catch (error) {
      faults.push(faultOf(error));
      return [];
    }
  });
  if (faults.length > 0) throw asOne(faults);
  return all;
}

function hasInput({ inputs }: GraphNode, wanted: string): boolean {
  return inputs.some(({ name }) => name === wanted);
}
