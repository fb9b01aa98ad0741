import { z } from "zod";
import { loadGiven } from "./apply/loadGiven";
import { opensTab } from "./apply/opensTab";
import { defineTool } from "./tool";
import { booleanArgument, textArgument, valuesArgument } from "./values/arguments";

export const applyWorkflow = defineTool({
  name: "applyWorkflow",
  description:
    "Load a whole workflow: lines as getWorkflowInfo writes them, ComfyUI's JSON, a template, or one in a file or an earlier message. What is not installed is listed and nothing changes, unless allowMissing.",
  input: z.object({
    workflow: z
      .preprocess(
        (value) => (value !== null && typeof value === "object" ? JSON.stringify(value) : value),
        z.string(),
      )
      .meta({ type: "string", description: "Lines, or JSON of the editor or the API." })
      .optional(),
    template: textArgument("Name from searchTemplates.").optional(),
    file: textArgument("JSON or picture, such as input/a.json or a.png.").optional(),
    ref: textArgument("Handle of a result or message that holds it, such as r12, u3 or d2.").optional(),
    mode: z
      .enum(["replace", "insert", "newTab"])
      .meta({
        description: "Default newTab for files, else replace; insert puts it beside what is open.",
      })
      .optional(),
    replacements: valuesArgument("Node types and files to use instead: {old: new}.").optional(),
    allowMissing: booleanArgument().optional(),
  }),
  effect: "edits",
  share: "most",
  slim: {
    description: "Load a template, or the workflow of a file.",
    optional: ["template", "file", "allowMissing"],
  },
  needsReading: (args) => !opensTab(args),
  run: loadGiven,
  label: ({ template, file, ref, mode }) =>
    `${mode === "insert" ? "Insert" : opensTab({ file, ref, mode }) ? "Open" : "Apply"} ${template ?? file ?? (ref === undefined ? "a workflow" : `the workflow of ${ref}`)}`,
});
