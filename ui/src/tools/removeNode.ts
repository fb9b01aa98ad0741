import { z } from "zod";
import { Draft } from "./edit/draft";
import { remove } from "./edit/operations/remove";
import { outcomeData, runBatchIfAllowed } from "./edit/runBatch";
import { openEnds } from "./edit/summary";
import { nodeName, typeWord, whereabouts } from "./read/references";
import { defineTool, type ToolResult } from "./tool";
import { textArgument } from "./values/arguments";

export const removeNode = defineTool({
  name: "removeNode",
  description: "Remove a node and its links from the open workflow.",
  input: z.object({ node: textArgument("Node id, or its title if unique.") }),
  effect: "edits",
  async run({ node: reference }, comfy, context): Promise<ToolResult> {
    const { node } = new Draft(comfy).node(reference);
    const links = [
      ...node.inputs.flatMap(({ name, linkedFrom }) =>
        linkedFrom ? [`${linkedFrom.node}.${linkedFrom.name} to ${node.id}.${name}`] : [],
      ),
      ...node.outputs.flatMap(({ name, linkedTo }) =>
        linkedTo.map((to) => `${node.id}.${name} to ${to.node}.${to.name}`),
      ),
    ];
    const done = await runBatchIfAllowed(comfy, [remove.with({ nodes: [reference] })], context);
    if ("ok" in done) return done;
    return {
      ok: true,
      summary: `Removed ${nodeName(node)}${links.length > 0 ? ` and ${links.length === 1 ? "its link" : `its ${links.length} links`}` : ""}${whereabouts(comfy.scope())}.${openEnds(done)}`,
      data: { id: node.id, type: typeWord(node), removedLinks: links, ...outcomeData(done) },
    };
  },
  label: ({ node }) => `Remove ${node === undefined ? "a node" : `node ${node}`}`,
});
