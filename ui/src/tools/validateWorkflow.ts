import { z } from "zod";
import { laterPart } from "./laterPart";
import { defineTool } from "./tool";

export const validateWorkflow = defineTool<Record<string, never>, unknown>({
  name: "validateWorkflow",
  description:
    "Check the workflow without running it: missing types, files and inputs, wrong values and links, bypasses, loops. Names fixes and model sizes.",
  input: z.object({}),
  effect: "reads",
  run: async (_, comfy, context) =>
    (await laterPart(import("./validation/checkWorkflow"))).checkWorkflow(comfy, context),
  label: () => "Check the workflow",
});
