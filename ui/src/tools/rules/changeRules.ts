/** The person's rules for all chats: changed only after a yes to the very words. */

import { z } from "zod";
import { type Ask, askFor } from "../missing/ask";
import type { ToolContext, ToolResult } from "../tool";
import { declined, ToolError } from "../toolError";

const ROUTE = "/assistant/you/rules";
const rule = z.object({ text: z.string() });
const rules = z.object({ entries: z.array(rule.extend({ source: z.enum(["file", "remembered"]) })) });

export async function remember(text: string, context: ToolContext): Promise<ToolResult> {
  const ask = serverOf(context);
  const yes = await context.confirm({
    title: "Follow this rule in all chats?",
    detail: text,
    always: true,
    allow: "Remember",
  });
  if (!yes) return declined("remembering the rule.");
  const kept = await askFor(rule, ask("POST", ROUTE, { text }));
  return {
    ok: true,
    summary: `Remembered for all chats: ${kept.text}`,
    data: { rule: kept.text },
  };
}

export async function forget(said: string, context: ToolContext): Promise<ToolResult> {
  const ask = serverOf(context);
  const { entries } = await askFor(rules, ask("GET", ROUTE));
  const found = oneThatIsMeant(
    said,
    entries.map(({ text }) => text),
  );
  if (entries.some(({ text, source }) => text === found && source === "file"))
    throw new ToolError(
      `The rule "${found}" stands in the user's own file rules.md.`,
      "Only the user can take it out of that file; tell them so.",
    );
  const yes = await context.confirm({
    title: "Forget this rule in all chats?",
    detail: found,
    always: true,
    allow: "Forget",
  });
  if (!yes) return declined("forgetting the rule.");
  const answer = await ask("DELETE", ROUTE, { text: found });
  if (!answer.ok) throw new ToolError(answer.message, answer.hint);
  return { ok: true, summary: `Forgot for all chats: ${found}`, data: { rule: found } };
}

function serverOf({ ask }: ToolContext): Ask {
  if (!ask) throw new ToolError("There is no server that keeps rules.");
  return ask;
}

/** Word for word, or the only one that has these words. */
function oneThatIsMeant(said: string, texts: readonly string[]): string {
  const words = said.trim().toLowerCase();
  const same = texts.find((text) => text.toLowerCase() === words);
  if (same !== undefined) return same;
  const [one, other] = texts.filter((text) => text.toLowerCase().includes(words));
  if (one !== undefined && other === undefined) return one;
  throw new ToolError(
    one === undefined ? `There is no rule "${said}".` : `Several rules have "${said}".`,
    texts.length > 0 ? `Rules: ${texts.join(" | ")}` : "There are no rules.",
  );
}
