import { z } from "zod";
import { laterPart } from "./laterPart";
import { defineTool } from "./tool";

export const findMissing = defineTool<Record<string, never>, unknown>({
  name: "findMissing",
  description:
    "Find models and packages that the open workflow lacks; the user chooses what is fetched, installed or replaced.",
  input: z.object({}),
  effect: "edits",
  slim: { description: "Get the models and nodes that the open workflow lacks; the user chooses." },
  needsReading: () => false,
  run: async (_, comfy, context) =>
    (await laterPart(import("./missing/settleMissing"))).settleMissing(comfy, context),
  label: () => "Look for what is missing",
});
