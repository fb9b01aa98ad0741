import { z } from "zod";
import { textArgument } from "./arguments";
import { inputReferred, nodeAfterEdit, nodeName, nodeReferred, whereabouts } from "./references";
import { defineTool, ToolError } from "./tool";

export const disconnectNodes = defineTool({
  name: "disconnectNodes",
  description: "Remove the link that leads into an input of a node.",
  input: z.object({
    toNode: textArgument("Node id."),
    toInput: textArgument("Input name or index."),
  }),
  run({ toNode, toInput }, comfy) {
    const graph = comfy.graph();
    const node = nodeReferred(graph, toNode);
    const { slot, index } = inputReferred(node, toInput);
    const link = slot.linkedFrom;
    if (!link) {
      const linked = node.inputs.filter((input) => input.linkedFrom).map((input) => input.name);
      throw new ToolError(
        `Nothing is connected to ${slot.name} of ${nodeName(node)}.`,
        linked.length > 0 ? `Connected inputs: ${linked.join(", ")}.` : "None of its inputs is connected.",
      );
    }
    comfy.edit((editor) => editor.disconnect({ node: node.id, input: index }));
    if (nodeAfterEdit(comfy, node.id).inputs.find(({ name }) => name === slot.name)?.linkedFrom)
      throw new ToolError(`ComfyUI kept the link into ${slot.name} of ${nodeName(node)}.`);
    const from = `${link.node}.${link.name}`;
    const to = `${node.id}.${slot.name}`;
    return {
      ok: true,
      summary: `Disconnected ${from} from ${to}${whereabouts(graph.scope)}.`,
      data: { from, to },
    };
  },
  label: ({ toNode, toInput }) =>
    toNode === undefined || toInput === undefined ? "Disconnect an input" : `Disconnect ${toNode}.${toInput}`,
});
