/** A graph of ComfyUI's page while a batch is carried out in it. */

import type { Comfy, GraphEditor } from "../../comfy/bridge";
import {
  findNode,
  type Graph,
  type GraphNode,
  type LinkSource,
  type NodeId,
  type Place,
  subgraphInput,
} from "../../graph/graph";
import { type InputPlace, type OutputPlace, sourceSlot, targetSlot } from "../../graph/links";
import { closesLoop } from "../../graph/loops";
import { nodePath } from "../../graph/nodePath";
import { nodeName } from "../read/references";
import { ToolError } from "../tool";
import type { DraftGraph } from "./draftGraphs";
import { dropStrays, linksAround, type NamedLink, restoreLinks, stillMeant } from "./restoreLinks";

/** Widgets on the node of a new subgraph. */
export interface ShownUnasked {
  place: Place;
  node: NodeId;
  names: readonly string[];
}

export interface Restorer {
  /** Draws the links again and names those that are missing yet; without an editor it names all that are missing. */
  restore(editor?: GraphEditor): string[];
  /** What the rest of the batch has made of the links is what stays. To be called at its end. */
  settle(): void;
}

/** What became of the draft's ids; nodes that were there before keep theirs. */
export class LiveIds {
  /** Nodes that stand for the subgraphs that were made. */
  readonly subgraphs: NodeId[] = [];
  /** Nodes of subgraphs that came apart: what was inside them is there no more. */
  readonly expanded = new Set<NodeId>();
  /** What ComfyUI has shown by itself on such nodes, by their paths: newer ones show texts and seeds. */
  readonly shownUnasked = new Map<string, ShownUnasked>();
  /** Draw the links again that ComfyUI has lost by making them, and name the rest, as `10:9.seed<4.INT`. */
  readonly restorers: Restorer[] = [];
  /** What went far from where one looks for it, and how far. */
  readonly moved: string[] = [];
  private readonly ids = new Map<NodeId, NodeId>();

  of(draftId: NodeId): NodeId {
    return this.ids.get(draftId) ?? draftId;
  }

  set(draftId: NodeId, id: NodeId): void {
    this.ids.set(draftId, id);
  }

  at(place: Place): Place {
    return place.map((id) => this.of(id));
  }
}

export class LiveGraph {
  readonly ids: LiveIds;
  /** Nodes went into a subgraph or came out of one: their neighbours have new links then, which no draft foresees. */
  isRestructured: boolean;

  private readonly comfy: Comfy;
  private readonly draft: DraftGraph;

  constructor(comfy: Comfy, draft: DraftGraph, ids: LiveIds) {
    this.comfy = comfy;
    this.draft = draft;
    this.ids = ids;
    this.isRestructured = draft.place.some((id) => ids.of(id) !== id);
  }

  graph(): Graph {
    return this.comfy.graph(this.ids.at(this.draft.place));
  }

  node(draftId: NodeId): GraphNode | undefined {
    return this.comfy.node(this.ids.of(draftId), this.ids.at(this.draft.place));
  }

  /** The graph inside the node of a subgraph. */
  inside(draftId: NodeId): Graph {
    return this.comfy.graph([...this.ids.at(this.draft.place), this.ids.of(draftId)]);
  }

  /** The node of the subgraph that this graph is the inside of. */
  owner(): GraphNode | undefined {
    const place = this.ids.at(this.draft.place);
    return this.comfy.node(place.at(-1) ?? "", place.slice(0, -1));
  }

  /** Links that ComfyUI loses by it are drawn again. */
  makeSubgraph(editor: GraphEditor, nodes: readonly NodeId[], title: string | undefined): NodeId {
    const ids = nodes.map((id) => this.ids.of(id));
    const before = linksAround(this.graph(), ids);
    const instance = editor.makeSubgraph(ids, title);
    const outside = this.ids.at(this.draft.place);
    const inside = [...outside, instance];
    const read = () => ({ outer: this.graph(), inner: this.comfy.graph(inside), instance });
    const pathOf = (id: NodeId) => nodePath(ids.includes(id) ? inside : outside, id, this.comfy.openPlace());
    let links: readonly NamedLink[] = before;
    const missing = (editor?: GraphEditor) =>
      links.length === 0 ? [] : restoreLinks(links, editor?.within(outside), inside, read);
    const lost = missing(editor);
    dropStrays(before, ids, editor.within(inside), read());
    this.ids.restorers.push({
      restore: (editor) =>
        missing(editor).map(
          ({ from, to }) => `${pathOf(to.node)}.${to.input}<${pathOf(from.node)}.${from.name}`,
        ),
      settle: () => {
        links = this.node(instance) ? stillMeant(links, lost, read()) : [];
      },
    });
    return instance;
  }

  /** To be called once a subgraph was made of nodes of this graph. */
  noteShown(draftId: NodeId): void {
    const shown =
      this.node(draftId)?.inputs.filter(({ isWidget, linkedFrom }) => isWidget && !linkedFrom) ?? [];
    const place = this.ids.at(this.draft.place);
    const node = this.ids.of(draftId);
    const names = shown.map(({ name }) => name);
    if (names.length > 0) this.ids.shownUnasked.set([...place, node].join(":"), { place, node, names });
  }

  /** The batch says itself what the node of this subgraph shows: what ComfyUI shows on it unasked goes. */
  hideUnasked(editor: GraphEditor): void {
    const path = this.ids.at(this.draft.place).join(":");
    const shown = this.ids.shownUnasked.get(path);
    if (!shown) return;
    for (const name of shown.names) editor.within(shown.place).demote(shown.node, "input", name);
    this.ids.shownUnasked.delete(path);
  }

  /** `name` is the slot's when the step was planned: choices that the batch makes behind it may move the slots. */
  output(slot: OutputPlace, name = sourceSlot(this.draft.graph, slot)?.name): OutputPlace {
    const index = indexNamed(this.node(slot.node)?.outputs, slot.output, name);
    return { node: this.ids.of(slot.node), output: index };
  }

  input(slot: InputPlace, name = targetSlot(this.draft.graph, slot)?.name): InputPlace {
    const index = indexNamed(this.node(slot.node)?.inputs, slot.input, name);
    return { node: this.ids.of(slot.node), input: index };
  }

  /** ComfyUI decides itself what slots a new subgraph has. */
  private isForeseen(source: LinkSource | undefined): boolean {
    return (
      source !== undefined &&
      source.node !== subgraphInput &&
      !this.ids.subgraphs.includes(this.ids.of(source.node))
    );
  }

  /** Throws a ToolError where a node feeds one that it follows without a wire, which no draft foresees of a new node. */
  expectNoLoop(): void {
    const { before } = this.draft;
    const isFollowing = (node: GraphNode) =>
      before.has(node.id) ? node.follows : this.node(node.id)?.follows;
    if (!this.draft.graph.nodes.some(isFollowing)) return;
    const graph = this.graph();
    for (const node of graph.nodes)
      for (const followed of node.follows ?? [])
        if (closesLoop(graph, followed, node.id))
          throw new ToolError(
            `${nodeName(node)} takes from node ${followed} without a wire, and feeds it: that would be a loop, which ComfyUI cannot run.`,
            "Give the pair another name, or connect something else.",
          );
  }

  /** Throws a ToolError unless the links into this node are those of the draft. A slot may have another name by now. */
  expectLinks(draftId: NodeId): void {
    const planned = findNode(this.draft.graph, draftId);
    const live = this.node(draftId);
    if (!planned || !live) return;
    const names = new Set(planned.inputs.map(({ name }) => name));
    for (const [index, { name, linkedFrom }] of planned.inputs.entries()) {
      const atPlace = live.inputs[index];
      const present = (
        live.inputs.find((input) => input.name === name) ??
        (atPlace && !names.has(atPlace.name) ? atPlace : undefined)
      )?.linkedFrom;
      const isSame =
        linkedFrom?.node === undefined
          ? present === undefined
          : present?.node === this.ids.of(linkedFrom.node) &&
            (present.output === linkedFrom.output || present.name === linkedFrom.name);
      if (isSame || (this.isRestructured && !this.isForeseen(linkedFrom))) continue;
      throw new ToolError(
        linkedFrom === undefined
          ? `ComfyUI kept the link into ${name} of ${nodeName(live)}.`
          : `ComfyUI refused to connect ${this.ids.of(linkedFrom.node)}.${linkedFrom.name} to ${live.id}.${name}.`,
        `Call getWorkflowInfo with nodeIds ["${live.id}"] to see its slots.`,
      );
    }
  }
}

/** Slots of a live node may have moved since the batch was planned: some nodes grow inputs as they are connected. */
function indexNamed(
  slots: readonly { name: string }[] | undefined,
  index: number,
  name: string | undefined,
): number {
  if (!slots || name === undefined || slots[index]?.name === name) return index;
  const moved = slots.findIndex((slot) => slot.name === name);
  return moved < 0 ? index : moved;
}
