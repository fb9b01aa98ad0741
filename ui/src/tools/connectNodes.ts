import { z } from "zod";
import { Draft } from "./edit/draft";
import { connect } from "./edit/operations/connect";
import { outcomeData, runBatch } from "./edit/runBatch";
import { slotsMeant } from "./edit/slotPair";
import { openEnds } from "./edit/summary";
import { whereabouts } from "./read/references";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

export const connectNodes = defineTool({
  name: "connectNodes",
  description:
    "Link an output of one node to an input of another, in place of the link that was in it. Slots by name or index; none where only one fits. A widget's name as toInput feeds that widget.",
  input: z.object({
    fromNode: textArgument(),
    fromOutput: textArgument().optional(),
    toNode: textArgument(),
    toInput: textArgument().optional(),
  }),
  effect: "edits",
  async run({ fromNode, fromOutput, toNode, toInput }, comfy, context) {
    const from = { node: fromNode, ...(fromOutput !== undefined && { slot: fromOutput }) };
    const to = { node: toNode, ...(toInput !== undefined && { slot: toInput }) };
    const draft = new Draft(comfy);
    const [source, target] = [draft.output(from), draft.input(to)];
    const { output, input } = slotsMeant(source.node, target.node, source.slot, target.slot);
    const done = await runBatch(comfy, [connect.with({ from, to })], context);

    const before = input.slot.linkedFrom;
    const wasSame = before?.node === source.node.id && before.output === output.index;
    const replaced = before && !wasSame ? draft.slotPath(target.at, before.node, before.name) : undefined;
    const data = {
      from: draft.slotPath(source.at, source.node.id, output.slot.name),
      to: draft.slotPath(target.at, target.node.id, input.slot.name),
      type: output.slot.type,
      ...(replaced !== undefined && { replaced }),
      ...outcomeData(done),
    };
    return {
      ok: true,
      summary: `Connected ${data.from} to ${data.to}${replaced ? `, replacing ${replaced}` : ""}${wasSame ? " (it already was)" : ""}${whereabouts(comfy, target.at.place)}.${openEnds(done)}`,
      data,
    };
  },
  label: ({ fromNode, toNode }) =>
    fromNode === undefined || toNode === undefined ? "Connect nodes" : `Connect ${fromNode} to ${toNode}`,
});
