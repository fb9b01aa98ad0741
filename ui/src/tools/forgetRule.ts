import { z } from "zod";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

const input = z.object({ rule: textArgument("Its words.") });

export const forgetRule = defineTool<z.infer<typeof input>, unknown>({
  name: "forgetRule",
  description: "Take back a rule of all chats.",
  input,
  effect: "reads",
  run: async ({ rule }, _, context) => (await import("./rules/changeRules")).forget(rule, context),
  label: ({ rule }) => `Forget: ${rule ?? "…"}`,
});
