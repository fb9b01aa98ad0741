import type { ListedModel } from "../api/listedModel";
import type { WholeProvider } from "../api/providers";
import { shortAmount } from "../shared/amounts";

/** What is known of a model that a server lists, in a few words; "" where that is nothing. */
export function modelWords(model: ListedModel | undefined): string {
  if (!model) return "";
  const { window, price } = model;
  return [window && `${shortAmount(window)} tokens`, price && priceWords(price)].filter(Boolean).join(", ");
}

/** The same of a provider's model. */
export function factWords(facts: WholeProvider["facts"]): string {
  if (!facts) return "";
  const window = facts.window.source === "unknown" ? null : facts.window.value;
  return modelWords({ id: "", window, price: facts.price.value });
}

/** What is assumed of a provider's model whose window nobody tells; "" of any other. */
export function assumedWords(facts: WholeProvider["facts"]): string {
  if (facts?.window.source !== "unknown" || !facts.window.value) return "";
  const images = facts.vision.value === null ? ", and that it sees images" : "";
  return `Nobody tells how much this model reads at once: ${shortAmount(facts.window.value)} tokens are assumed${images}.`;
}

export function priceWords({ input, output }: { input: number; output: number }): string {
  return input + output === 0 ? "free" : `$${input} in, $${output} out`;
}
