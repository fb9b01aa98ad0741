import { z } from "zod";
import { forget, remember } from "./rules/changeRules";
import { defineTool } from "./tool";
import { booleanArgument } from "./values/arguments";

const input = z.object({ rule: z.string(), forget: booleanArgument().optional() });

export const rememberRule = defineTool<z.infer<typeof input>, unknown>({
  name: "rememberRule",
  description: "Keep or forget a rule for all chats.",
  input,
  effect: "reads",
  slim: {
    description: "Keep a rule of the user for all chats; with forget: forget it.",
    optional: ["forget"],
  },
  run: (args, _, context) => (args.forget ? forget : remember)(args.rule, context),
  label: ({ rule, forget }) => `${forget ? "Forget" : "Remember"}: ${rule ?? "…"}`,
});
