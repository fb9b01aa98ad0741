import { z } from "zod";
import { runBatch } from "./edit/runBatch";
import { executeWorkflow } from "./executeWorkflow";
import type { RunData } from "./run/runReport";
import { editsOf } from "./script/edits";
import { parseScript } from "./script/parseScript";
import { defineTool, ToolError } from "./tool";
import { textArgument } from "./values/arguments";

const input = z.object({ script: textArgument("One node per line.") });

/** For small models, which do one thing well and lose their way in several: builds and runs in one call. */
export const runNewWorkflow = defineTool<z.infer<typeof input>, RunData>({
  name: "runNewWorkflow",
  description:
    "Make a new image of one color, or anything else new: builds the nodes of a script and runs them.",
  input,
  effect: "builds and runs",
  slim: { only: true },
  needsReading: () => false,
  async run({ script }, comfy, context) {
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
    const built = `Built ${added.map(({ type, node }) => `${type?.id} (node ${node})`).join(", ")}.`;
    const last = added.findLast(({ type }) => isOutput(type?.id));
    const ran = await executeWorkflow.run(last ? { until: last.node } : {}, comfy, context);
    return ran.ok
      ? { ...ran, summary: `${built} ${ran.summary}` }
      : { ...ran, error: `${built} Running it failed: ${ran.error}` };
  },
  label: () => "Build a workflow and run it",
  render: ({ result }) => executeWorkflow.render?.({ args: {}, ...(result && { result }) }),
});
