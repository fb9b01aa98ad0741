import type { Comfy } from "../../comfy/bridge";
import type { GraphChangesTold } from "../../shared/graphChanges";
import { runBatch } from "../edit/batch";
import { changesData } from "../edit/outcome";
import { type ToolContext, ToolError } from "../tool";
import { editsOf } from "./edits";
import { parseScript } from "./parseScript";

/** The nodes of a script in the open workflow; what was added, and the last of them that saves or shows. */
export async function buildScript(
  comfy: Comfy,
  script: string,
  context: ToolContext,
): Promise<{ built: string; changes: GraphChangesTold; last: string | undefined }> {
  const nodes = parseScript(script);
  if (nodes.length === 0)
    throw new ToolError("The script is empty.", "Write one node per line: name = NodeType(widget=value).");
  const isOutput = (type = "") => comfy.nodeDefinition(type)?.isOutput;
  if (!nodes.some(({ type }) => isOutput(type)))
    throw new ToolError(
      "Nothing was built: no line of the script saves or shows a result.",
      "End the script with a node that saves, such as SaveImage.",
    );
  const done = await runBatch(comfy, editsOf(comfy, nodes), context);
  const { added, open } = done;
  return {
    built: `Built ${added.map(({ type, node }) => `${type?.id} (node ${node})`).join(", ")}.`,
    changes: changesData(done, open),
    last: added.findLast(({ type }) => isOutput(type?.id))?.node,
  };
}
