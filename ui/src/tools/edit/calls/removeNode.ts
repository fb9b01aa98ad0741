import type { Comfy } from "../../../comfy/bridge";
import type { NodeChange } from "../../../graph/compact/changes";
import type { NodeId } from "../../../graph/graph";
import { nodeName, pathWord, typeWord, whereabouts } from "../../read/references";
import { type ToolContext, ToolError, type ToolResult } from "../../tool";
import { runBatchIfAllowed } from "../batch";
import { Draft } from "../draft";
import { remove } from "../operations/remove";
import { toldOf } from "../summary";
import { outcomeData } from "./outcomeData";

export async function removeNode(
  { node: reference }: { node: string },
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
  const draft = new Draft(comfy);
  const { at, node } = nodeMeant(draft, reference);
  const link = (from: [NodeId, string], to: [NodeId, string]) =>
    `${draft.slotPath(at, ...from)} to ${draft.slotPath(at, ...to)}`;
  const links = [
    ...node.inputs.flatMap(({ name, linkedFrom }) =>
      linkedFrom ? [link([linkedFrom.node, linkedFrom.name], [node.id, name])] : [],
    ),
    ...node.outputs.flatMap(({ name, linkedTo }) =>
      linkedTo.map((to) => link([node.id, name], [to.node, to.name])),
    ),
  ];
  const done = await runBatchIfAllowed(comfy, [remove.with({ nodes: [reference] })], context);
  if ("ok" in done) return done;
  return {
    ok: true,
    ...toldOf(done, {
      sentence: `Removed ${nodeName(node)}${links.length > 0 ? ` and ${links.length === 1 ? "its link" : `its ${links.length} links`}` : ""}${whereabouts(comfy, at.place)}`,
      tells: (change) => (change.kind === "removed" ? change.node === node.id : losesLinksAlone(change)),
      fields: ["id", "type"],
    }),
    data: { id: pathWord(node), type: typeWord(node), removedLinks: links, ...outcomeData(done) },
  };
}

/** As `removedLinks` tells. */
function losesLinksAlone({ kind, differences }: NodeChange): boolean {
  return kind === "changed" && differences.every((each) => each.of === "link" && each.after === undefined);
}

function nodeMeant(draft: Draft, reference: string) {
  try {
    return draft.node(reference);
  } catch (error) {
    if (!(error instanceof ToolError) || error.fitting.node === undefined) throw error;
    throw error.offering({ node: error.fitting.node });
  }
}
