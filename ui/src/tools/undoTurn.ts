import { z } from "zod";
import { laterPart } from "./laterPart";
import { defineTool } from "./tool";

export const undoTurn = defineTool<Record<string, never>, object>({
  name: "undoTurn",
  description: "Undo your newest turn that changed the workflow, when asked.",
  input: z.object({}),
  effect: "edits",
  slim: {},
  needsReading: () => false,
  run: async (_, comfy, context) => (await laterPart(import("./edit/calls"))).undoTurn(comfy, context),
  label: () => "Undo the last turn",
});
