/** What is not open: read without loading it. */

import type { Comfy } from "../../comfy/bridge";
import { linkCount, nodeCount } from "../../graph/compact/workflow";
import { quoted } from "../../shared/quoted";
import type { Given } from "../apply/given";
import { type ToolContext, ToolError, type ToolResult } from "../tool";
import { type Form, firstThatFits } from "./forms";
import { unloadedWorkflow } from "./unloaded";
import type { OpenRead } from "./views";
import { outlines, wholeValues, workflowForms } from "./workflowForms";

/** What is not open is read as a whole, and is nothing to edit. */
export async function readElsewhere(
  comfy: Comfy,
  { room, readBack }: ToolContext,
  given: Given,
  { view = "compact", nodeIds = [], values, tab }: OpenRead & { tab?: string | undefined },
): Promise<ToolResult> {
  if (nodeIds.length > 0 || tab !== undefined || (view !== "compact" && view !== "outline"))
    throw new ToolError(
      `${nodeIds.length > 0 ? "nodeIds" : tab !== undefined ? "tab" : `view ${view}`} is for open workflows; template, file and ref are read as a whole.`,
      "Leave it out, or load the workflow with applyWorkflow.",
    );
  const workflow = await unloadedWorkflow(comfy, given, readBack);
  const source = Object.values(given).find((each) => each !== undefined) ?? "";
  const counts = { nodes: nodeCount(workflow), links: linkCount(workflow) };
  const outside = placeElsewhere(given);
  const resultOf = ({ entries, brief = "", tells: _, ...form }: Form) => ({
    ok: true as const,
    summary: `Read ${source}, which is not loaded: ${counts.nodes} nodes, ${counts.links} links${brief}.`,
    data: { source, isLoaded: false, ...counts, ...form, text: entries.join("\n") },
    ...(outside && { outside: [outside] }),
  });
  const forms =
    view === "outline"
      ? outlines(workflow)
      : workflowForms(workflow, values === "full" ? wholeValues : undefined);
  return resultOf(
    firstThatFits(forms, "applyWorkflow loads it; then nodeIds reads a few.", (form) =>
      room.holds(resultOf(form)),
    ),
  );
}

/** Whose words stand there. */
function placeElsewhere({ template, file }: Given): string | undefined {
  if (file) return `the file ${quoted(file)}`;
  return template ? `the template ${quoted(template)}` : undefined;
}
