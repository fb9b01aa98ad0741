/** What a run of a node of ComfyUI's partners costs, as its badge on the canvas or its definition says. */

import { z } from "zod";
import type { LiveNode } from "../page";

const badgeSchema = z.object({
  expr: z.string(),
  depends_on: z
    .object({
      widgets: z.array(z.object({ name: z.string() })).catch([]),
      inputs: z.array(z.string()).catch([]),
      input_groups: z.array(z.string()).catch([]),
    })
    .catch({ widgets: [], inputs: [], input_groups: [] }),
});

const formSchema = z
  .object({
    suffix: z.string().catch("/Run"),
    note: z.string().catch(""),
    approximate: z.boolean().catch(false),
  })
  .catch({ suffix: "/Run", note: "", approximate: false });

const constantSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("usd"), usd: z.number(), format: formSchema }),
  z.object({ type: z.literal("range_usd"), min_usd: z.number(), max_usd: z.number(), format: formSchema }),
]);

/**
 * Newer frontends keep the badge to themselves, but the definition has the price where it needs no values, and what it
 * depends on where it does.
 */
export function priceOf(node: Pick<LiveNode, "badges" | "constructor">): string | undefined {
  const { nodeData } = node.constructor as { nodeData?: { price_badge?: unknown } };
  const shown = (node.badges ?? []).map(badgeText).find((text) => /\$\d|credits?\b/i.test(text));
  return shown ?? (nodeData?.price_badge ? definedPrice(nodeData.price_badge) : undefined);
}

/** An extension's badge may be a function that throws. */
function badgeText(badge: unknown): string {
  try {
    return String((typeof badge === "function" ? badge() : badge).text);
  } catch {
    return "";
  }
}

function definedPrice(badge: unknown): string | undefined {
  const { success, data } = badgeSchema.safeParse(badge);
  if (!success) return undefined;
  const { expr, depends_on: on } = data;
  const names = [...on.widgets.map(({ name }) => name), ...on.inputs, ...on.input_groups];
  return (
    constantPrice(expr) ?? (names.length > 0 ? `an amount that depends on ${names.join(", ")}` : undefined)
  );
}

function constantPrice(expression: string): string | undefined {
  const price = constantSchema.safeParse(parsed(expression)).data;
  if (!price) return undefined;
  if (price.type === "text") return price.text;
  const { suffix, note, approximate } = price.format;
  const amount = price.type === "usd" ? `$${price.usd}` : `$${price.min_usd}-$${price.max_usd}`;
  return `${approximate ? "~" : ""}${amount}${suffix}${note && ` ${note}`}`;
}

/** Most expressions are no JSON. */
function parsed(expression: string): unknown {
  try {
    return JSON.parse(expression);
  } catch {
    return undefined;
  }
}
