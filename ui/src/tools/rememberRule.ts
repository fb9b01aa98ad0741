import { z } from "zod";
import { laterPart } from "./laterPart";
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
  async run({ rule, forget }, _, context) {
    const rules = await laterPart(import("./rules/changeRules"));
    return forget ? rules.forget(rule, context) : rules.remember(rule, context);
  },
  label: ({ rule, forget }) => `${forget ? "Forget" : "Remember"}: ${rule ?? "…"}`,
});
