import type { ListedModel } from "../api/listedModel";
import { shortAmount } from "../shared/amounts";

/** What is known of a model that a server lists, in a few words; "" where that is nothing. */
export function modelWords(model: ListedModel | undefined): string {
  if (!model) return "";
  const { window, price } = model;
  return [window && `${shortAmount(window)} tokens`, price && priceWords(price)].filter(Boolean).join(", ");
}

export function priceWords({ input, output }: { input: number; output: number }): string {
  return input + output === 0 ? "free" : `$${input} in, $${output} out`;
}
