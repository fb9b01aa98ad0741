import { z } from "zod";
import { textArgument } from "./arguments";
import { nodeName, nodeReferred, whereabouts } from "./references";
import { defineTool, ToolError } from "./tool";

export const removeNode = defineTool({
  name: "removeNode",
  description: "Remove a node and its links from the open workflow.",
  input: z.object({ node: textArgument("Node id, or its title if unique.") }),
  run({ node: reference }, comfy) {
    const before = comfy.graph();
    const node = nodeReferred(before, reference);
    const links = [
      ...node.inputs.flatMap(({ name, linkedFrom }) =>
        linkedFrom ? [`${linkedFrom.node}.${linkedFrom.name} to ${node.id}.${name}`] : [],
      ),
      ...node.outputs.flatMap(({ name, linkedTo }) =>
        linkedTo.map((to) => `${node.id}.${name} to ${to.node}.${to.name}`),
      ),
    ];
    comfy.edit((editor) => editor.removeNode(node.id));
    if (comfy.node(node.id)) throw new ToolError(`ComfyUI kept ${nodeName(node)}: it cannot be removed.`);
    return {
      ok: true,
      summary: `Removed ${nodeName(node)}${links.length > 0 ? ` and ${links.length === 1 ? "its link" : `its ${links.length} links`}` : ""}${whereabouts(before.scope)}.`,
      data: { id: node.id, type: node.type, removedLinks: links },
    };
  },
  label: ({ node }) => `Remove ${node === undefined ? "a node" : `node ${node}`}`,
});
