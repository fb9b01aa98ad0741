import { z } from "zod";
import type { NodeChange } from "../graph/compact/changes";
import type { NodeId } from "../graph/graph";
import { Draft } from "./edit/draft";
import { remove } from "./edit/operations/remove";
import { outcomeData, runBatchIfAllowed } from "./edit/runBatch";
import { toldOf } from "./edit/summary";
import { nodeName, pathWord, typeWord, whereabouts } from "./read/references";
import { defineTool, ToolError, type ToolResult } from "./tool";
import { textArgument } from "./values/arguments";

export const removeNode = defineTool({
  name: "removeNode",
  description: "Remove a node and its links.",
  input: z.object({ node: textArgument("Node id, or its title if unique.") }),
  effect: "edits",
  async run({ node: reference }, comfy, context): Promise<ToolResult> {
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
  },
  label: ({ node }) => `Remove ${node === undefined ? "a node" : `node ${node}`}`,
});

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
