import { z } from "zod";
import { changeSkill } from "./skills/changeSkill";
import { defineTool } from "./tool";
import { booleanArgument } from "./values/arguments";

const input = z.object({
  slug: z.string(),
  text: z.string().optional(),
  remove: booleanArgument().optional(),
});

export const writeSkill = defineTool<z.infer<typeof input>, { diff?: string }>({
  name: "writeSkill",
  description: "Create, replace or remove a skill of the user: a SKILL.md.",
  input,
  effect: "reads",
  run: (args, _, context) => changeSkill(args, context),
  label: ({ slug, remove }) => `${remove ? "Delete" : "Write"} skill ${slug ?? "…"}`,
  render: ({ args, result }) =>
    result?.ok && <pre className="cass-plain-text">{result.data.diff ?? args.text}</pre>,
});
