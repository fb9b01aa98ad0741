import type { Comfy } from "../../comfy/bridge";
import { runBatch } from "../edit/batch";
import { type ToolContext, ToolError } from "../tool";
import { editsOf } from "./edits";
import { parseScript } from "./parseScript";

/** The nodes of a script in the open workflow; what was added, in words, and the last of them that saves or shows. */
export async function buildScript(
  comfy: Comfy,
  script: string,
  context: ToolContext,
): Promise<{ built: string; last: string | undefined }> {
  const nodes = parseScript(script);
  if (nodes.length === 0)
    throw new ToolError("The script is empty.", "Write one node per line: name = NodeType(widget=value).");
  const isOutput = (type = "") => comfy.nodeDefinition(type)?.isOutput;
  if (!nodes.some(({ type }) => isOutput(type)))
    throw new ToolError(
      "Nothing was built: no line of the script saves or shows a result.",
      "End the script with a node that saves, such as SaveImage.",
    );
  const { added } = await runBatch(comfy, editsOf(comfy, nodes), context);
  return {
    built: `Built ${added.map(({ type, node }) => `${type?.id} (node ${node})`).join(", ")}.`,
    last: added.findLast(({ type }) => isOutput(type?.id))?.node,
  };
}
