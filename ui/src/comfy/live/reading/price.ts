/** What a run of a node of ComfyUI's partners costs, as its badge on the canvas says. */

import type { LiveNode } from "../page";

/** Newer frontends keep the badge to themselves, but the definition has the price where it needs no values. */
export function priceOf(node: Pick<LiveNode, "badges" | "constructor">): string | undefined {
  const { nodeData } = node.constructor as { nodeData?: { price_badge?: { expr?: unknown } } };
  const shown = (node.badges ?? []).map(badgeText).find((text) => /\$\d|credits?\b/i.test(text));
  return shown ?? constantPrice(String(nodeData?.price_badge?.expr));
}

/** An extension's badge may be a function that throws. */
function badgeText(badge: unknown): string {
  try {
    return String((typeof badge === "function" ? badge() : badge).text);
  } catch {
    return "";
  }
}

function constantPrice(expression: string): string | undefined {
  const usd = /^\s*\{\s*"type"\s*:\s*"usd"\s*,\s*"usd"\s*:\s*([\d.]+)\s*\}\s*$/.exec(expression)?.[1];
  return usd && `$${usd}/Run`;
}
