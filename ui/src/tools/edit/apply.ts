/** A checked batch carried out in ComfyUI, and read again before anybody reports it. */

import type { Comfy, GraphEditor } from "../../comfy/bridge";
import { findNode, type Graph, type GraphNode, type Json, type NodeId, type Place } from "../../graph/graph";
import { type InputPlace, type OutputPlace, sourceSlot, targetSlot } from "../../graph/links";
import { nodeName } from "../references";
import { ToolError } from "../tool";
import type { Draft } from "./draft";
import type { Plan } from "./plan";
import type { Step } from "./step";

export interface Applied {
  /** What became of the draft's ids; nodes that were there before keep theirs. */
  idOf(draftId: NodeId): NodeId;
  subgraphs: readonly { place: Place; node: NodeId; title?: string }[];
  /** Values that ComfyUI keeps otherwise than asked. */
  adjusted: readonly { node: NodeId; widget: string; asked: Json; kept: Json }[];
}

/** Throws where ComfyUI does not do what the plan says; then the workflow is as it was. */
export function applyPlan(comfy: Comfy, { draft, steps }: Plan): Applied {
  const ids = new Map<NodeId, NodeId>();
  const idOf = (id: NodeId) => ids.get(id) ?? id;
  const subgraphs: { place: Place; node: NodeId; title?: string }[] = [];
  const adjusted = comfy.edit((editor) => {
    for (const step of steps) take(step, editor.within(step.place));
    return checked(comfy, draft, steps, idOf);
  });
  return { idOf, subgraphs, adjusted };

  function liveOutput(place: Place, slot: OutputPlace): OutputPlace {
    const node = idOf(slot.node);
    const slots = comfy.node(node, place)?.outputs;
    return { node, output: indexNamed(slots, slot.output, slotName(draft, place, slot)) };
  }

  function liveInput(place: Place, slot: InputPlace): InputPlace {
    const node = idOf(slot.node);
    const slots = comfy.node(node, place)?.inputs;
    return { node, input: indexNamed(slots, slot.input, slotName(draft, place, slot)) };
  }

  /** `place` is that of the subgraph itself. */
  function expectShown(place: Place, side: "inputs" | "outputs", name: string): void {
    const node = comfy.node(place.at(-1) ?? "", place.slice(0, -1));
    if (!node?.[side].some((slot) => slot.name === name))
      throw new ToolError(`ComfyUI did not show ${name} on the subgraph's node ${place.join(":")}.`);
  }

  function take(step: Step, editor: GraphEditor): void {
    const { place } = step;
    switch (step.do) {
      case "add": {
        const { node, type, near, id, title, position } = step;
        const added = editor.addNode(type, {
          ...(id !== undefined && { id }),
          ...(title !== undefined && { title }),
          ...(position && { position }),
          ...(near !== undefined && { near: idOf(near) }),
        });
        ids.set(node, added);
        return;
      }
      case "remove":
        editor.removeNode(idOf(step.node));
        if (comfy.node(idOf(step.node), place))
          throw new ToolError(`ComfyUI kept node ${idOf(step.node)}: it cannot be removed.`);
        return;
      case "connect": {
        const [from, to] = [liveOutput(place, step.from), liveInput(place, step.to)];
        if (!editor.connect(from, to))
          throw new ToolError(
            `ComfyUI refused to connect ${from.node}.${slotName(draft, place, step.from) ?? from.output} to ${to.node}.${slotName(draft, place, step.to) ?? to.input}.`,
            `Call getWorkflowInfo with nodeIds ["${from.node}", "${to.node}"] to see their slots.`,
          );
        return;
      }
      case "disconnect":
        editor.disconnect(liveInput(place, step.to));
        return;
      case "set":
        editor.setWidget(idOf(step.node), step.widget, step.value);
        return;
      case "move":
        editor.moveNode(idOf(step.node), step.position);
        return;
      case "mode":
        editor.setMode(idOf(step.node), step.mode);
        return;
      case "title":
        editor.setTitle(idOf(step.node), step.title);
        return;
      case "color":
        editor.setColor(idOf(step.node), step.color);
        return;
      case "group":
        editor.addGroup(step.title, step.nodes.map(idOf), step.color);
        return;
      case "makeSubgraph": {
        const node = editor.makeSubgraph(step.nodes.map(idOf), step.title);
        subgraphs.push({ place, node, ...(step.title !== undefined && { title: step.title }) });
        return;
      }
      case "expandSubgraph":
        editor.expandSubgraph(idOf(step.node));
        return;
      case "promoteInput":
        editor.promoteInput(liveInput(place, step.to), step.name);
        expectShown(place, "inputs", step.name);
        return;
      case "promoteOutput":
        editor.promoteOutput(liveOutput(place, step.from), step.name);
        expectShown(place, "outputs", step.name);
        return;
      case "demoteInput":
      case "demoteOutput":
        editor.demote(step.node, step.do === "demoteInput" ? "input" : "output", step.name);
        return;
      default:
        step satisfies never;
    }
  }
}

function slotName(draft: Draft, place: Place, slot: OutputPlace | InputPlace): string | undefined {
  const { graph } = draft.graphAt(place);
  return ("output" in slot ? sourceSlot(graph, slot) : targetSlot(graph, slot))?.name;
}

/** Slots of a live node may have moved since the batch was checked: some nodes grow inputs as they are connected. */
function indexNamed(
  slots: readonly { name: string }[] | undefined,
  index: number,
  name: string | undefined,
): number {
  if (!slots || name === undefined || slots[index]?.name === name) return index;
  const found = slots.findIndex((slot) => slot.name === name);
  return found < 0 ? index : found;
}

/** Compares what is there now with the draft, for everything that the steps touched. */
function checked(
  comfy: Comfy,
  draft: Draft,
  steps: readonly Step[],
  idOf: (id: NodeId) => NodeId,
): Applied["adjusted"] {
  const adjusted: { node: NodeId; widget: string; asked: Json; kept: Json }[] = [];
  for (const { place, before, graph } of draft.graphs.values()) {
    const here = steps.filter((step) => step.place.join() === place.join());
    const isRestructured = here.some((step) => step.do === "makeSubgraph" || step.do === "expandSubgraph");
    const linked = new Set(here.flatMap((step) => ("to" in step ? [step.to.node] : [])));
    for (const id of linked) {
      const planned = findNode(graph, id);
      const live = comfy.node(idOf(id), place);
      if (planned && live) expectSameLinks(planned, live, idOf, isRestructured);
    }
    for (const step of here) {
      if (step.do !== "set") continue;
      const planned = findNode(graph, step.node);
      const live = comfy.node(idOf(step.node), place);
      if (!planned || !live) continue;
      const asked = widgetHolds(planned, step.widget);
      const kept = widgetHolds(live, step.widget);
      if (JSON.stringify(asked) === JSON.stringify(kept)) continue;
      const was = valueIn(before, step.node, step.widget);
      if (was !== undefined && JSON.stringify(was) === JSON.stringify(kept))
        throw new ToolError(`ComfyUI kept ${step.widget} of ${nodeName(live)} at ${JSON.stringify(kept)}.`);
      adjusted.push({ node: live.id, widget: step.widget, asked, kept });
    }
  }
  return adjusted;
}

/** What nodes that went into or came out of a subgraph were linked to has new links then, which no draft foresees. */
function expectSameLinks(
  planned: GraphNode,
  live: GraphNode,
  idOf: (id: NodeId) => NodeId,
  isRestructured: boolean,
): void {
  for (const { name, linkedFrom } of planned.inputs) {
    const found = live.inputs.find((input) => input.name === name)?.linkedFrom;
    const isSame =
      linkedFrom?.node === undefined
        ? found === undefined
        : found?.node === idOf(linkedFrom.node) &&
          (found.output === linkedFrom.output || found.name === linkedFrom.name);
    if (isSame || (isRestructured && !linkedFrom)) continue;
    const wanted = linkedFrom && `${idOf(linkedFrom.node)}.${linkedFrom.name}`;
    throw new ToolError(
      wanted === undefined
        ? `ComfyUI kept the link into ${name} of ${nodeName(live)}.`
        : `ComfyUI refused to connect ${wanted} to ${live.id}.${name}.`,
      `Call getWorkflowInfo with nodeIds ["${live.id}"] to see its slots.`,
    );
  }
}

function widgetHolds(node: GraphNode, name: string): Json {
  return node.widgets.find((widget) => widget.name === name)?.value ?? null;
}

function valueIn(graph: Graph, id: NodeId, widget: string): Json | undefined {
  const node = findNode(graph, id);
  return node && widgetHolds(node, widget);
}
