import { z } from "zod";
import { loadCalls } from "./edit/loadCalls";
import { defineTool } from "./tool";

export const undoTurn = defineTool<Record<string, never>, object>({
  name: "undoTurn",
  description: "Undo your newest turn that changed the workflow, when asked.",
  input: z.object({}),
  effect: "edits",
  loads: loadCalls,
  slim: {},
  needsReading: () => false,
  run: async (_, comfy, context) => (await loadCalls()).undoTurn(comfy, context),
  label: () => "Undo the last turn",
});
