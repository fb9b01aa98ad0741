/** A call that acts on the workflow that is open when it begins, whatever the person opens meanwhile. */

import type { Comfy, Workflow } from "../comfy/bridge";
import type { ApprovalRequest } from "../shared/toolCalls";
import type { ToolContext } from "./tool";
import { ToolError } from "./toolError";

/** The person said yes, and another workflow is open by then. */
export class SwitchedAway extends ToolError {}

export interface OnOneWorkflow extends ToolContext {
  /** What it acts on: where it began, or what it has opened itself. */
  workflowNow(): Workflow;
}

/** The same context, which takes no yes for a workflow that is not open any more. */
export function onOneWorkflow(comfy: Comfy, context: ToolContext): OnOneWorkflow {
  let actsOn = comfy.workflow();
  return {
    ...context,
    workflowNow: () => actsOn,
    async confirm(request: ApprovalRequest) {
      const isAllowed = await context.confirm(request);
      const { key, name } = comfy.workflow();
      if (isAllowed && key !== actsOn.key)
        throw new SwitchedAway(
          `The user opened "${name}" while they were asked about "${actsOn.name}"; nothing was done.`,
          "Ask which workflow to work on.",
        );
      return isAllowed;
    },
    follow(workflow: string) {
      actsOn = comfy.workflow();
      context.follow?.(workflow);
    },
  };
}
