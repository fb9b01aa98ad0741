import { z } from "zod";
import { changesBetween } from "../graph/compact/changes";
import { changesData, outcomeOf } from "./edit/outcome";
import { look, remember } from "./read/sight";
import { defineTool, ToolError } from "./tool";

export const undoTurn = defineTool({
  name: "undoTurn",
  description:
    "Undo what your newest turn that changed the workflow did. When the user asks to undo or revert.",
  input: z.object({}),
  effect: "edits",
  slim: {},
  needsReading: () => false,
  async run(_, comfy, { undo, thread }) {
    const before = look(comfy);
    const inTheWay = await undo?.();
    if (!inTheWay)
      throw new ToolError(
        "There is no turn of yours here that can be undone.",
        "Tell the user to press Ctrl+Z on the canvas, or change it back with edits.",
      );
    if (inTheWay.length > 0)
      throw new ToolError(
        `Nothing was undone: ${inTheWay.join(", ")}.`,
        "Change back with edits what the user means.",
      );
    const after = look(comfy);
    remember(comfy, after, thread);
    const outcome = outcomeOf(changesBetween(before.workflow, after.workflow));
    const counts = (["added", "changed", "removed"] as const).flatMap((kind) =>
      outcome[kind].length > 0 ? [`${outcome[kind].length} ${kind}`] : [],
    );
    return {
      ok: true,
      summary: `Undid your turn: ${counts.join(", ") || "no nodes changed"}. The user can redo it in the chat.`,
      data: { changes: changesData(outcome, comfy.openPlace()), revision: after.revision },
    };
  },
  label: () => "Undo the last turn",
});
