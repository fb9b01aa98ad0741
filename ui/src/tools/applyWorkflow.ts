import { z } from "zod";
import { laterPart } from "./laterPart";
import { defineTool } from "./tool";
import { booleanArgument, textArgument, valuesArgument } from "./values/arguments";

/** What a file or message holds is another workflow than the open one, as for ComfyUI itself where a file is dropped. */
export function opensTab({ mode, file, ref }: { mode?: string; file?: string; ref?: string }): boolean {
  return mode === undefined ? file !== undefined || /^[ud]\d/.test(ref ?? "") : mode === "newTab";
}

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
  run: async (args, comfy, context) =>
    (await laterPart(import("./apply/loadGiven"))).loadGiven(args, comfy, context),
  label: ({ template, file, ref, mode }) =>
    `${mode === "insert" ? "Insert" : opensTab({ file, ref, mode }) ? "Open" : "Apply"} ${template ?? file ?? (ref === undefined ? "a workflow" : `the workflow of ${ref}`)}`,
});
