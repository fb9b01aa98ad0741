/** What is sent to ComfyUI's queue for a run, where that is not the whole workflow as it is. */

import type { Comfy, Prompt, RunRequest } from "../../comfy/bridge";
import type { NodeId } from "../../graph/graph";
import { type PromptNodes, promptTitle, upstreamPart, withPreview } from "../../graph/prompt";
import { ToolError } from "../tool";
import { fileNameParts, withNamePart } from "./fileNameParts";
import type { PlannedRun } from "./planRuns";
import { needsAccount } from "./riskyNodes";
import type { RunReport } from "./runReport";

/** What leads to the node; a node that shows nothing itself gets a preview, for this run alone. */
export function upToNode(comfy: Comfy, nodes: PromptNodes, target: NodeId): PromptNodes {
  const part = upstreamPart(nodes, [target]);
  const definition = comfy.nodeDefinition(nodes[target]?.class_type ?? "");
  if (definition?.isOutput) return part;
  const [output] = definition?.outputs ?? [];
  if (!output)
    throw new ToolError(`Node ${target} has no output, so there is nothing to run it for.`, "Name another.");
  return withPreview(part, target, output.type);
}

/** The preview that a run up to a node adds is no node that the model could name. */
export function asShownBy(report: RunReport, nodes: PromptNodes, target: NodeId): RunReport {
  if (report.status !== "success") return report;
  const type = nodes[target]?.class_type ?? "?";
  const outputs = report.outputs.map((output) =>
    output.node in nodes ? output : { ...output, node: target, type },
  );
  return { ...report, outputs };
}

/** One for each run of the plan. Undefined: exactly as the Run button. */
export function requestsOf(
  comfy: Comfy,
  prompt: Prompt,
  target: NodeId | undefined,
  plan: readonly PlannedRun[],
): (RunRequest | undefined)[] {
  const parts = fileNameParts(plan);
  return plan.map((run, index) => requestOf(comfy, prompt, target, run, parts[index] ?? ""));
}

function requestOf(
  comfy: Comfy,
  prompt: Prompt,
  target: NodeId | undefined,
  { changes }: PlannedRun,
  part: string,
): RunRequest | undefined {
  const isOutput =
    target !== undefined && comfy.nodeDefinition(prompt.nodes[target]?.class_type ?? "")?.isOutput;
  if (changes.length === 0 && target === undefined) return undefined;
  if (changes.length === 0 && target !== undefined && isOutput) return { targets: [target] };
  const [paid] =
    Object.entries(prompt.nodes).find(([, { class_type: type }]) =>
      needsAccount(comfy.nodeDefinition(type)),
    ) ?? [];
  if (paid !== undefined)
    throw new ToolError(
      `Node ${paid} (${promptTitle(prompt.nodes, paid)}) needs the user's ComfyUI account, which is passed along only with a run of the graph as it is.`,
      "Set the values in the graph, then run without seeds and vary.",
    );
  if (prompt.packFailure !== undefined)
    throw new ToolError(
      `${prompt.packFailure} A run up to a node or with other values would lack them.`,
      "Run the whole workflow, or connect by wires what that package hands on.",
    );
  const nodes = withNamePart(prompt.nodes, changes, part, (type) => comfy.nodeDefinition(type));
  return { prompt: { ...prompt, nodes }, changes };
}
