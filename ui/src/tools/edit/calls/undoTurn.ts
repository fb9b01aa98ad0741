import type { Comfy } from "../../../comfy/bridge";
import { changesBetween } from "../../../graph/compact/changes";
import { changesSince, nodeKey } from "../../read/known";
import { lastShown, look, remember } from "../../read/sight";
import { type ToolContext, ToolError, type ToolResult } from "../../tool";
import { changesData, outcomeOf } from "../outcome";
import { outcomeTold } from "../summary";

const CAN_REDO = "The user can redo it in the chat.";

export async function undoTurn(comfy: Comfy, { undo, thread }: ToolContext): Promise<ToolResult<object>> {
  const before = look(comfy);
  const { key } = comfy.workflow();
  const inTheWay = await undo?.();
  if (!inTheWay)
    throw new ToolError(
      "There is no turn of yours here that can be undone.",
      "One that is undone already the user can redo in the chat. For anything else tell them to press Ctrl+Z on the canvas, or change it back with edits.",
    );
  if (inTheWay.length > 0)
    throw new ToolError(
      `Nothing was undone: ${inTheWay.join(", ")}.`,
      "Change back with edits what the user means.",
    );
  const { key: keyNow, name } = comfy.workflow();
  // Two workflows have nothing in common that could be told as changes; the one that is open now is yet to be read.
  if (keyNow !== key)
    return {
      ok: true,
      summary: `Undid your turn, which had opened another workflow. Now open: "${name}". ${CAN_REDO}`,
      data: { workflow: name },
    };
  const after = look(comfy);
  const outcome = outcomeOf(changesBetween(before.workflow, after.workflow));
  const undone = new Set([...outcome.added, ...outcome.changed, ...outcome.removed].map(nodeKey));
  const known = lastShown(comfy, thread);
  const groups = known === undefined || changesSince(known, before).groups.length === 0;
  remember(comfy, after, thread, { nodes: (change) => undone.has(nodeKey(change)), groups });
  const open = comfy.openPlace();
  const { words, told } = outcomeTold(outcome, open);
  return {
    ok: true,
    summary: `Undid your turn: ${words || "no nodes changed"}. ${CAN_REDO}`,
    told,
    data: { changes: changesData(outcome, open), revision: after.revision },
  };
}
