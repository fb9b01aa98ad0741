import { dollars } from "../shared/amounts";
import type { Spent } from "./costsApi";

/** What is known of the money: "$0.42", "$0.42+" where some requests have no known price, "?" where all have none. */
export function moneyOf({ dollars: amount, requests, unpriced }: Spent): string {
  if (unpriced > 0 && unpriced === requests) return "?";
  return unpriced > 0 ? `${dollars(amount)}+` : dollars(amount);
}
