import { z } from "zod";
import { defineTool } from "./tool";
import { checkWorkflow } from "./validation/checkWorkflow";

export const validateWorkflow = defineTool<Record<string, never>, unknown>({
  name: "validateWorkflow",
  description:
    "Check the workflow without running it: missing types, files and inputs, wrong values and links, bypasses, loops. Names fixes and model sizes.",
  input: z.object({}),
  effect: "reads",
  run: (_, comfy, context) => checkWorkflow(comfy, context),
  label: () => "Check the workflow",
});
