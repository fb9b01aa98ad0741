import type { Comfy } from "../../../comfy/bridge";
import { whereabouts } from "../../read/references";
import { type ToolContext, ToolError, type ToolResult } from "../../tool";
import { attempt } from "../../toolError";
import { runBatch } from "../batch";
import { Draft } from "../draft";
import { isToCome } from "../mendBatch";
import { connect } from "../operations/connect";
import { likely, pairsOf, slotsMeant } from "../slotPair";
import { isAbout, toldOf } from "../summary";
import { outcomeData } from "./outcomeData";

interface Arguments {
  fromNode: string;
  fromOutput?: string | undefined;
  toNode: string;
  toInput?: string | undefined;
}

export async function connectNodes(
  { fromNode, fromOutput, toNode, toInput }: Arguments,
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
  const from = { node: fromNode, ...(fromOutput !== undefined && { slot: fromOutput }) };
  const to = { node: toNode, ...(toInput !== undefined && { slot: toInput }) };
  const draft = new Draft(comfy);
  const { source, target, output, input } = endsMeant(draft, from, to);
  const done = await runBatch(comfy, [connect.with({ from, to })], context);

  const before = input.slot.linkedFrom;
  const wasSame = before?.node === source.node.id && before.output === output.index;
  const replaced = before && !wasSame ? draft.slotPath(target.at, before.node, before.name) : undefined;
  const fromSlot = draft.slotPath(source.at, source.node.id, output.slot.name);
  const toSlot = draft.slotPath(target.at, target.node.id, input.slot.name);
  return {
    ok: true,
    ...toldOf(done, {
      sentence: `Connected ${fromSlot} to ${toSlot}${replaced ? `, replacing ${replaced}` : ""}${wasSame ? " (it already was)" : ""}${whereabouts(comfy, target.at.place)}`,
      tells: isAbout(target.node.id, input.slot.name),
      fields: ["from", "to", "replaced"],
    }),
    data: {
      from: fromSlot,
      to: toSlot,
      ...(replaced !== undefined && { replaced }),
      ...outcomeData(done),
    },
  };
}

interface End {
  node: string;
  slot?: string;
}

function endsMeant(draft: Draft, from: End, to: End) {
  try {
    const [source, target] = [draft.output(from), draft.input(to)];
    return { source, target, ...slotsMeant(source.node, target.node, source.slot, target.slot) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw error.offering(fittingCall(draft, from, to));
  }
}

/** With the slots of the only pair that fits: with the input that was named, else with the output, else at all. */
function fittingCall(draft: Draft, from: End, to: End) {
  const [source, target] = [from, to].map(({ node }) => attempt(() => draft.node(node)));
  if (!source || !target || source.node === target.node || isToCome(draft, target.node, to.slot))
    return undefined;
  const numbered = <Slot>(slot: Slot, index: number) => ({ slot, index });
  const pairs = pairsOf(source.node.outputs.map(numbered), target.node.inputs.map(numbered));
  const named = (name: string, wanted: string | undefined) => name.toLowerCase() === wanted?.toLowerCase();
  const ways = [
    pairs.filter(({ input }) => named(input.slot.name, to.slot)),
    pairs.filter(({ output }) => named(output.slot.name, from.slot)),
    pairs,
  ];
  const pair = ways.map(likely).find(({ length }) => length === 1)?.[0];
  return (
    pair && {
      fromNode: draft.pathOf(source),
      fromOutput: pair.output.slot.name,
      toNode: draft.pathOf(target),
      toInput: pair.input.slot.name,
    }
  );
}
