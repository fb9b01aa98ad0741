import { z } from "zod";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

const input = z.object({ rule: textArgument("One sentence, as the user means it.") });

export const rememberRule = defineTool<z.infer<typeof input>, unknown>({
  name: "rememberRule",
  description: "Keep a rule for all chats, once the user allows it.",
  input,
  effect: "reads",
  run: async ({ rule }, _, context) => (await import("./rules/changeRules")).remember(rule, context),
  label: ({ rule }) => `Remember: ${rule ?? "…"}`,
});
