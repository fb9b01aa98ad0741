/** Whether the workflow that is open in a page is the one on which a turn works that another page has begun. */

import type { MeantWorkflow } from "../api/replies";
import type { Turn } from "../chat/turn/turns";
import type { Workflow } from "../comfy/bridge";

/** What the server is told of it; undefined where the turn works on another one, or may. */
export function told(open: Workflow, turn: Turn | undefined): MeantWorkflow | undefined {
  if (!turn || turn.begunBy || turn.workflow !== open.key) return undefined;
  const { name, file, id } = open;
  return { name, ...(file !== undefined && { file }), ...(id !== undefined && { id }) };
}

/**
 * A page that was loaded anew has opened what it had, maybe under the name by which it was saved since. In another page a
 * workflow that was never saved is the same only where it is a copy, by name and graph.
 */
export function isWorkflowOf(
  begunBy: NonNullable<Turn["begunBy"]>,
  open: Workflow,
  meant: MeantWorkflow,
): boolean {
  const isFile = open.file !== undefined && open.file === meant.file;
  const isNamed = open.name === meant.name;
  const isGraph = open.id !== undefined && open.id === meant.id;
  if (begunBy === "page before") return isFile || isNamed || isGraph;
  return isFile || (open.file === undefined && meant.file === undefined && isNamed && isGraph);
}
