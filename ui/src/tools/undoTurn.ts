import { z } from "zod";
import { undoTurn as carryOut } from "./edit/calls/undoTurn";
import { defineTool } from "./tool";

export const undoTurn = defineTool<Record<string, never>, object>({
  name: "undoTurn",
  description: "Undo your newest turn that changed the workflow, when asked.",
  input: z.object({}),
  effect: "edits",
  slim: {},
  needsReading: () => false,
  run: (_, comfy, context) => carryOut(comfy, context),
  label: () => "Undo the last turn",
});
