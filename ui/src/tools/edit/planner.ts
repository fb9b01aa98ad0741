/** Tries operations one after the other on copies of the graphs, and notes the steps that carry them out. */

import type { Comfy } from "../../comfy/bridge";
import { findNode, type GraphNode, type NodeMode, subgraphInput, subgraphOutput } from "../../graph/graph";
import { drawLink, dropLink, targetSlot } from "../../graph/links";
import { closesLoop } from "../../graph/loops";
import { nodeName, widgetReferred } from "../references";
import { ToolError } from "../tool";
import { widgetValue } from "../widgetValue";
import { Draft, type DraftGraph, type Located } from "./draft";
import { blankNodeMeant } from "./installedType";
import { nodeColor } from "./nodeColor";
import type { Operation, SlotReference, Values } from "./operation";
import { type Planned, planDemotion, planPromotion } from "./promotion";
import { replacementOf } from "./replacement";
import { slotsMeant } from "./slotPair";
import type { Step } from "./step";

export class Planner {
  readonly draft: Draft;
  readonly steps: Step[] = [];
  readonly removed: GraphNode[] = [];
  readonly lost: string[] = [];

  private readonly comfy: Comfy;

  constructor(comfy: Comfy) {
    this.comfy = comfy;
    this.draft = new Draft(comfy);
  }

  plan(operation: Operation): void {
    switch (operation.op) {
      case "add":
        this.add(operation);
        break;
      case "remove":
        this.remove(operation.nodes);
        break;
      case "connect":
        this.connect(operation.from, operation.to);
        break;
      case "disconnect":
        this.disconnect(operation.to);
        break;
      case "set":
        this.each(operation.nodes, (located) => this.setAll(located, operation.widgets));
        break;
      case "replace":
        this.replace(operation);
        break;
      case "insert":
        this.insert(operation);
        break;
      case "move":
        this.move(operation.nodes, operation.position);
        break;
      case "mode":
        this.each(operation.nodes, (located) => this.setMode(located, operation.mode));
        break;
      case "title":
        this.setTitle(this.draft.node(operation.node), operation.title);
        break;
      case "color":
        this.color(operation.nodes, nodeColor(operation.color));
        break;
      case "group":
        this.group(operation.nodes, operation.title, nodeColor(operation.color));
        break;
      case "makeSubgraph":
        this.makeSubgraph(operation.nodes, operation.title);
        break;
      case "expandSubgraph":
        this.expandSubgraph(this.draft.node(operation.node));
        break;
      case "promote":
        this.take(planPromotion(this.draft, operation.slot, operation.name));
        break;
      case "demote":
        this.take(planDemotion(this.draft, operation.slot));
        break;
      default:
        operation satisfies never;
    }
  }

  private add({ type, as, title, widgets, inputs, position, inside }: Operation & { op: "add" }): void {
    const at = inside === undefined ? this.draft.graphAt() : this.draft.insideOf(inside);
    const sources = Object.entries(inputs ?? {});
    const [first] = sources;
    const near = first && this.nearby(at, first[1]);
    const located = this.create(at, blankNodeMeant(this.comfy, type), as, {
      ...(title !== undefined && { title }),
      ...(position && { position }),
      ...(near !== undefined && { near }),
    });
    this.setAll(located, widgets ?? {});
    for (const [input, source] of sources) this.connect(source, { node: pathOf(located), slot: input });
  }

  private create(
    at: DraftGraph,
    blank: GraphNode,
    as: string | undefined,
    how: Pick<Step & { do: "add" }, "title" | "position" | "near" | "id">,
  ): Located {
    this.checkName(as);
    const located = this.draft.add(at, blank, {
      ...(as !== undefined && { name: as }),
      ...(how.id !== undefined && { id: how.id }),
    });
    if (how.title !== undefined) located.node.title = how.title;
    this.steps.push({ do: "add", place: at.place, node: located.node.id, type: blank.type, ...how });
    return located;
  }

  private checkName(name: string | undefined): void {
    if (name === undefined) return;
    if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name))
      throw new ToolError(
        `"${name}" cannot be a name in a batch.`,
        "Begin with a letter, then letters, digits, _ or -.",
      );
    if (this.draft.isNamed(name)) throw new ToolError(`Two nodes of this batch are named "${name}".`);
  }

  private nearby(at: DraftGraph, source: string): string | undefined {
    const { at: home, node } = this.draft.output(source);
    return home === at ? node.id : undefined;
  }

  private remove(references: readonly string[]): void {
    this.each(references, (located) => {
      this.removed.push(located.node);
      this.steps.push({ do: "remove", place: located.at.place, node: located.node.id });
      this.draft.drop(located, "was removed");
    });
  }

  private connect(from: SlotReference, to: SlotReference): void {
    const source = this.draft.output(from);
    const sink = this.draft.input(to);
    if (source.at !== sink.at)
      throw new ToolError(
        `${nodeName(source.node)} and ${nodeName(sink.node)} lie in different graphs.`,
        "A subgraph is connected inside by its own input.NAME and output.NAME, outside by its node's slots.",
      );
    const { output, input } = slotsMeant(source.node, sink.node, source.slot, sink.slot);
    if (closesLoop(source.at.graph, source.node.id, sink.node.id))
      throw new ToolError(
        `Connecting ${source.node.id}.${output.slot.name} to ${sink.node.id}.${input.slot.name} would close a loop, which ComfyUI cannot run.`,
        `${nodeName(source.node)} already depends on ${nodeName(sink.node)}.`,
      );
    this.link(
      source.at,
      { node: source.node.id, output: output.index },
      { node: sink.node.id, input: input.index },
    );
  }

  private link(
    at: DraftGraph,
    from: { node: string; output: number },
    to: { node: string; input: number },
  ): void {
    drawLink(at.graph, from, to);
    this.steps.push({ do: "connect", place: at.place, from, to });
  }

  private disconnect(to: SlotReference): void {
    const { at, node, slot } = this.draft.input(to);
    const linked = node.inputs.flatMap((each, index) => (each.linkedFrom ? [{ slot: each, index }] : []));
    const input = slot ?? (linked.length === 1 ? linked[0] : undefined);
    if (!input?.slot.linkedFrom) {
      const names = linked.map((each) => each.slot.name);
      throw new ToolError(
        input
          ? `Nothing is connected to ${input.slot.name} of ${nodeName(node)}.`
          : `Which input of ${nodeName(node)}?`,
        names.length > 0 ? `Connected inputs: ${names.join(", ")}.` : "None of its inputs is connected.",
      );
    }
    const place = { node: node.id, input: input.index };
    dropLink(at.graph, place);
    this.steps.push({ do: "disconnect", place: at.place, to: place });
  }

  private setAll({ at, node }: Located, values: Values): void {
    for (const [name, written] of Object.entries(values)) {
      const widget = widgetReferred(node, name);
      const value = widgetValue(widget, written);
      widget.value = value;
      this.steps.push({ do: "set", place: at.place, node: node.id, widget: widget.name, value });
    }
  }

  private replace({ node: reference, type, as, widgets }: Operation & { op: "replace" }): void {
    const old = this.draft.node(reference);
    const { at } = old;
    if (this.draft.isNew(old.node.id))
      throw new ToolError(`"${reference}" is new in this batch.`, "Add the other type instead.");
    const blank = blankNodeMeant(this.comfy, type);
    const fitting = replacementOf(
      structuredClone(old.node),
      blank,
      (to) => targetSlot(at.graph, to)?.type ?? "*",
    );
    const { id, title, defaultTitle, mode, color, position } = old.node;
    this.steps.push({ do: "remove", place: at.place, node: id });
    this.draft.drop(old, "was replaced");
    const located = this.create(at, blank, as, {
      id,
      position,
      ...(title !== "" && title !== defaultTitle && { title }),
    });
    if (mode !== "active") this.setMode(located, mode);
    if (color !== undefined) this.steps.push({ do: "color", place: at.place, node: located.node.id, color });
    for (const { slot, from } of fitting.inputs) this.link(at, from, { node: located.node.id, input: slot });
    for (const { slot, to } of fitting.outputs) this.link(at, { node: located.node.id, output: slot }, to);
    this.setAll(located, Object.fromEntries(fitting.values.map(({ widget, value }) => [widget, value])));
    this.setAll(located, widgets ?? {});
    this.lost.push(...fitting.lost.map((each) => `${id}.${each}`));
  }

  private insert({ to, type, node, as, widgets }: Operation & { op: "insert" }): void {
    const sink = this.draft.input(to);
    const linked = sink.node.inputs.flatMap((slot, index) => (slot.linkedFrom ? [{ slot, index }] : []));
    const input = sink.slot ?? (linked.length === 1 ? linked[0] : undefined);
    const from = input && targetSlot(sink.at.graph, { node: sink.node.id, input: input.index })?.linkedFrom;
    if (!input || !from)
      throw new ToolError(
        `There is no link into ${input ? `${input.slot.name} of ` : ""}${nodeName(sink.node)} to insert on.`,
        linked.length > 0
          ? `Its inputs with a link: ${linked.map((each) => each.slot.name).join(", ")}.`
          : "Use connect.",
      );
    const middle =
      node === undefined
        ? this.create(sink.at, blankNodeMeant(this.comfy, type ?? ""), as, {
            ...(findNode(sink.at.graph, from.node) && { near: from.node }),
          })
        : this.draft.node(node);
    this.setAll(middle, widgets ?? {});
    const source = prefixed(sink, from.node);
    this.connect({ node: source, slot: from.name }, { node: pathOf(middle) });
    this.connect({ node: pathOf(middle) }, { node: pathOf(sink), slot: String(input.index) });
  }

  private move(references: readonly string[], position: { x: number; y: number }): void {
    const [, nodes] = this.together(references);
    const first = { ...(nodes[0]?.node.position ?? position) };
    for (const { at, node } of nodes) {
      const shift = { x: node.position.x - first.x, y: node.position.y - first.y };
      node.position = { x: position.x + shift.x, y: position.y + shift.y };
      this.steps.push({ do: "move", place: at.place, node: node.id, position: node.position });
    }
  }

  private setMode({ at, node }: Located, mode: NodeMode): void {
    node.mode = mode;
    this.steps.push({ do: "mode", place: at.place, node: node.id, mode });
  }

  private setTitle({ at, node }: Located, title: string): void {
    node.title = title;
    this.steps.push({ do: "title", place: at.place, node: node.id, title });
  }

  private color(references: readonly string[], color: string | undefined): void {
    this.each(references, ({ at, node }) => {
      this.steps.push({ do: "color", place: at.place, node: node.id, color });
    });
  }

  private group(references: readonly string[], title: string, color: string | undefined): void {
    const [{ place }, nodes] = this.together(references);
    const ids = nodes.map(({ node }) => node.id);
    this.steps.push({ do: "group", place, nodes: ids, title, ...(color !== undefined && { color }) });
  }

  private expandSubgraph(located: Located): void {
    const { at, node } = located;
    if (!node.subgraph) throw new ToolError(`${nodeName(node)} is no subgraph: there is nothing to expand.`);
    this.steps.push({ do: "expandSubgraph", place: at.place, node: node.id });
    this.draft.drop(located, "was expanded");
  }

  private makeSubgraph(references: readonly string[], title: string | undefined): void {
    const [at, nodes] = this.together(references);
    this.steps.push({
      do: "makeSubgraph",
      place: at.place,
      nodes: nodes.map(({ node }) => node.id),
      ...(title !== undefined && { title }),
    });
    for (const located of nodes) this.draft.drop(located, "went into a subgraph");
  }

  private take({ steps, lost }: Planned): void {
    this.steps.push(...steps);
    this.lost.push(...lost);
  }

  private each(references: readonly string[], act: (located: Located) => void): void {
    const all = references.map((reference) => this.draft.node(reference));
    for (const located of new Map(all.map((each) => [each.node, each])).values()) act(located);
  }

  private together(references: readonly string[]): [DraftGraph, Located[]] {
    const all: Located[] = [];
    this.each(references, (located) => all.push(located));
    const [first] = all;
    if (!first) throw new ToolError("No nodes were named.");
    const stray = all.find(({ at }) => at !== first.at);
    if (stray)
      throw new ToolError(`${nodeName(first.node)} and ${nodeName(stray.node)} lie in different graphs.`);
    return [first.at, all];
  }
}

/** The node as `Draft.node` finds it from anywhere. */
function pathOf({ at, node }: Located): string {
  return prefixed({ at }, node.id);
}

function prefixed({ at }: { at: DraftGraph }, id: string): string {
  if (!/^\d+$/.test(id) && id !== subgraphInput && id !== subgraphOutput) return id;
  return at.place.length === 0 && /^\d+$/.test(id) ? `/${id}` : [...at.place, id].join(":");
}
