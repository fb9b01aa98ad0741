/** Slots and widgets of nodes inside a subgraph, shown on the subgraph's node and hidden again. */

import { type GraphNode, subgraphInput, subgraphOutput } from "../../graph/graph";
import {
  promoteInput,
  promoteOutput,
  removeSubgraphInput,
  removeSubgraphOutput,
  type SubgraphGraphs,
} from "../../graph/subgraphSlots";
import { inputReferred, nodeName, outputReferred } from "../references";
import { ToolError } from "../tool";
import type { Draft, DraftGraph } from "./draft";
import type { PromotedSlot } from "./operation";
import type { Step } from "./step";

export interface Planned {
  steps: Step[];
  /** What hung on a slot that is gone. */
  lost: string[];
}

/** Gives the subgraph a slot, called `name` or as the inner one is. */
export function planPromotion(
  draft: Draft,
  { side, reference }: PromotedSlot,
  name: string | undefined,
): Planned {
  const [{ at, node }, slotName] = draft.owner(reference);
  const { scope } = at.graph;
  if (scope.kind !== "subgraph")
    throw new ToolError(
      `${nodeName(node)} lies in no subgraph.`,
      "Name a slot or widget of a node inside one, such as 12:5.seed.",
    );
  if (slotName === undefined) throw new ToolError(`Which ${side} of ${nodeName(node)}?`, slotsOf(node, side));
  const { place } = at;
  if (side === "input") {
    const { slot, index } = inputReferred(node, slotName);
    const source = slot.linkedFrom;
    if (source)
      throw new ToolError(
        source.node === subgraphInput
          ? `${slot.name} of ${nodeName(node)} is shown already, as ${source.name}.`
          : `${slot.name} of ${nodeName(node)} comes from ${source.node}.${source.name}.`,
        source.node === subgraphInput ? undefined : "Disconnect it first.",
      );
    const free = freeName(
      name ?? slot.name,
      (scope.inputs ?? []).map((each) => each.name),
    );
    const to = { node: node.id, input: index };
    promoteInput(graphsAround(draft, at), to, free);
    return { steps: [{ do: "promoteInput", place, to, name: free }], lost: [] };
  }
  const { slot, index } = outputReferred(node, slotName);
  const shown = slot.linkedTo.find((link) => link.node === subgraphOutput);
  if (shown) throw new ToolError(`${slot.name} of ${nodeName(node)} is shown already, as ${shown.name}.`);
  const free = freeName(
    name ?? slot.name,
    scope.outputs.map((each) => each.name),
  );
  const from = { node: node.id, output: index };
  promoteOutput(graphsAround(draft, at), from, free);
  return { steps: [{ do: "promoteOutput", place, from, node: node.id, name: free }], lost: [] };
}

/** Takes a slot from the subgraph; what a widget of it held goes to the inner nodes that it was for. */
export function planDemotion(draft: Draft, { side, reference }: PromotedSlot): Planned {
  const [{ at, node }, slotName] = draft.owner(reference);
  if (!node.subgraph) throw new ToolError(`${nodeName(node)} is no subgraph.`);
  if (slotName === undefined) throw new ToolError(`Which ${side} of ${nodeName(node)}?`, slotsOf(node, side));
  const { place } = at;
  const shown = side === "input" ? shownMeant(node, slotName) : undefined;
  if (shown !== undefined)
    return { steps: [{ do: "demoteInput", place, node: node.id, name: shown }], lost: [] };
  const inner = draft.graphAt([...place, node.id]);
  const graphs = graphsAround(draft, inner);
  if (side === "input") {
    const { slot } = inputReferred(node, slotName);
    const { name, linkedFrom } = slot;
    const steps = linkedFrom ? [] : handedOn(inner, node, name);
    const lost = [
      ...(linkedFrom ? [`${node.id}.${name}<${linkedFrom.node}.${linkedFrom.name}`] : []),
      ...otherValues(graphs, node, name),
    ];
    removeSubgraphInput(graphs, name);
    return { steps: [{ do: "demoteInput", place, node: node.id, name }, ...steps], lost };
  }
  const { slot } = outputReferred(node, slotName);
  const lost = slot.linkedTo.map((link) => `${node.id}.${slot.name}>${link.node}.${link.name}`);
  removeSubgraphOutput(graphs, slot.name);
  return { steps: [{ do: "demoteOutput", place, node: node.id, name: slot.name }], lost };
}

/** A widget that is shown without an input: `5.text`, or `text` where just one is called so. */
export function shownMeant({ subgraph, inputs }: GraphNode, name: string): string | undefined {
  const { shown = [] } = subgraph ?? {};
  if (shown.includes(name)) return name;
  const [only, ...more] = shown.filter((each) => each.slice(each.indexOf(".") + 1) === name);
  return more.length > 0 || inputs.some((input) => input.name === name) ? undefined : only;
}

function handedOn(inner: DraftGraph, node: GraphNode, name: string): Step[] {
  const value = node.widgets.find((widget) => widget.name === name)?.value;
  if (value === undefined || value === null) return [];
  return inner.graph.nodes.flatMap((each) =>
    each.inputs.flatMap(({ name: input, linkedFrom }): Step[] => {
      const widget = each.widgets.find((candidate) => candidate.name === input);
      if (linkedFrom?.node !== subgraphInput || linkedFrom.name !== name || !widget) return [];
      widget.value = value;
      return [{ do: "set", place: inner.place, node: each.id, widget: input, value }];
    }),
  );
}

/** All nodes of a subgraph share what is inside: of their values only one can go there. */
function otherValues({ outer }: SubgraphGraphs, node: GraphNode, name: string): string[] {
  const held = ({ widgets }: GraphNode) => widgets.find((widget) => widget.name === name)?.value;
  const kept = JSON.stringify(held(node));
  return outer
    .flatMap(({ nodes }) => nodes)
    .filter((each) => each.subgraph?.id === node.subgraph?.id && JSON.stringify(held(each)) !== kept)
    .map((each) => `${each.id}.${name}=${JSON.stringify(held(each))}`);
}

/** The graph around the subgraph is opened, since nodes there change. */
function graphsAround(draft: Draft, inner: DraftGraph): SubgraphGraphs {
  draft.graphAt(inner.place.slice(0, -1));
  return { inner: inner.graph, outer: [...draft.graphs.values()].map(({ graph }) => graph) };
}

/** As ComfyUI does it: `seed`, `seed_1`. */
function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 1; ; number++) if (!taken.includes(`${wanted}_${number}`)) return `${wanted}_${number}`;
}

function slotsOf(node: GraphNode, side: PromotedSlot["side"]): string {
  const names = (side === "input" ? node.inputs : node.outputs).map(({ name }) => name);
  return `Its ${side}s: ${names.join(", ") || "none"}.`;
}
