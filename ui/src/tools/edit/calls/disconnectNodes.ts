import type { Comfy } from "../../../comfy/bridge";
import { whereabouts } from "../../read/references";
import { type ToolContext, ToolError, type ToolResult } from "../../tool";
import { attempt } from "../../toolError";
import { runBatch } from "../batch";
import { Draft } from "../draft";
import { disconnect } from "../operations/disconnect";
import { isAbout, toldOf } from "../summary";
import { outcomeData } from "./outcomeData";

export async function disconnectNodes(
  { toNode, toInput }: { toNode: string; toInput: string },
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
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
}

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
