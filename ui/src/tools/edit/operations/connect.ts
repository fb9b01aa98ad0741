import type { GraphInput, GraphOutput } from "../../../graph/graph";
import {
  drawLink,
  type InputPlace,
  isSameOutput,
  type OutputPlace,
  sourceSlot,
  targetSlot,
} from "../../../graph/links";
import { closesLoop } from "../../../graph/loops";
import { nodeName, pathWord } from "../../read/references";
import { ToolError } from "../../tool";
import type { LocatedSlot, SlotReference } from "../draft";
import type { DraftGraph } from "../draftGraphs";
import { defineOperation } from "../operation";
import { type Deciding, slotsMeant } from "../slotPair";
import { alreadySo, identityOf, type Step } from "../step";
import { vocabulary } from "../vocabulary";

interface ConnectRequest {
  from: SlotReference;
  to: SlotReference;
}

export const connect = defineOperation({
  name: "connect",
  alsoCalled: { connectNodes: {}, link: {} },
  fields: { from: vocabulary.from, to: vocabulary.to },
  read: (given): ConnectRequest => given,
  *plan(draft, { from, to }) {
    yield connectSlots(draft.output(from), draft.input(to));
  },
});

/** Slots that were not named are found where just one pair fits. */
export function connectSlots(
  source: LocatedSlot<GraphOutput>,
  sink: LocatedSlot<GraphInput>,
  deciding?: Deciding,
): Step {
  if (source.at !== sink.at)
    throw new ToolError(
      `${nodeName(source.node)} and ${nodeName(sink.node)} lie in different graphs.`,
      "A subgraph is connected inside by its own input.NAME and output.NAME, outside by its node's slots.",
    );
  const { output, input } = slotsMeant(source.node, sink.node, source.slot, sink.slot, deciding);
  const closes = () => closesLoop(source.at.graph, source.node.id, sink.node.id);
  const [from, to] = [
    { node: source.node.id, output: output.index },
    { node: sink.node.id, input: input.index },
  ];
  const isDrawn = () => isSameOutput(targetSlot(source.at.graph, to)?.linkedFrom, from);
  const loop = new ToolError(
    `Connecting ${pathWord(source.node)}.${output.slot.name} to ${pathWord(sink.node)}.${input.slot.name} would close a loop, which ComfyUI cannot run.`,
    `${nodeName(source.node)} already depends on ${nodeName(sink.node)}.`,
  );
  return {
    // What comes later in the batch may open it again, as where two nodes change places.
    ...(closes() && { faultAtEnd: () => (isDrawn() && closes() ? loop : undefined) }),
    ...alreadySo(
      isDrawn,
      () =>
        `${pathWord(source.node)}.${output.slot.name} goes into ${pathWord(sink.node)}.${input.slot.name} already`,
    ),
    ...link(source.at, from, to),
  };
}

export function link(at: DraftGraph, from: OutputPlace, to: InputPlace): Step {
  const [output, input] = [sourceSlot(at.graph, from)?.name, targetSlot(at.graph, to)?.name];
  drawLink(at.graph, from, to);
  return {
    at,
    touches: [identityOf(at, to.node)],
    apply(editor, live) {
      const [source, target] = [live.output(from, output), live.input(to, input)];
      if (!editor.connect(source, target))
        throw new ToolError(
          `ComfyUI refused to connect ${source.node}.${output ?? source.output} to ${target.node}.${input ?? target.input}.`,
          `Call getWorkflowInfo with nodeIds ["${source.node}", "${target.node}"] to see their slots.`,
        );
    },
    check(live) {
      live.expectLinks(to.node);
      return [];
    },
  };
}
