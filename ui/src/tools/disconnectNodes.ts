import { z } from "zod";
import { Draft } from "./edit/draft";
import { disconnect } from "./edit/operations/disconnect";
import { outcomeData, runBatch } from "./edit/runBatch";
import { isAbout, toldOf } from "./edit/summary";
import { whereabouts } from "./read/references";
import { defineTool, ToolError } from "./tool";
import { attempt } from "./toolError";
import { textArgument } from "./values/arguments";

export const disconnectNodes = defineTool({
  name: "disconnectNodes",
  description: "Remove the link into an input of a node.",
  input: z.object({
    toNode: textArgument(),
    toInput: textArgument(),
  }),
  effect: "edits",
  async run({ toNode, toInput }, comfy, context) {
    const to = { node: toNode, slot: toInput };
    const draft = new Draft(comfy);
    const { at, node, slot } = inputMeant(draft, to);
    const done = await runBatch(comfy, [disconnect.with({ to })], context);
    const link = slot?.slot.linkedFrom;
    const data = {
      from: draft.slotPath(at, link?.node ?? "", link?.name ?? ""),
      to: draft.slotPath(at, node.id, slot?.slot.name ?? ""),
    };
    return {
      ok: true,
      ...toldOf(done, {
        sentence: `Disconnected ${data.from} from ${data.to}${whereabouts(comfy, at.place)}`,
        tells: isAbout(node.id, slot?.slot.name),
        fields: ["from", "to"],
      }),
      data: { ...data, ...outcomeData(done) },
    };
  },
  label: ({ toNode, toInput }) =>
    toNode === undefined || toInput === undefined ? "Disconnect an input" : `Disconnect ${toNode}.${toInput}`,
});

/** Of a node that has one link, a name that no input has can only mean that. */
function inputMeant(draft: Draft, to: { node: string; slot: string }) {
  try {
    return draft.input(to);
  } catch (error) {
    const found = attempt(() => draft.node(to.node));
    const linked = found?.node.inputs.filter(({ linkedFrom }) => linkedFrom) ?? [];
    const [only] = linked;
    if (!(error instanceof ToolError) || !found || !only || linked.length > 1) throw error;
    throw error.offering({ toNode: draft.pathOf(found), toInput: only.name });
  }
}
