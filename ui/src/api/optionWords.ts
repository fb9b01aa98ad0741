/** Options as people read and write them: money in dollars, which the server counts in cents. */

import { amountOf, dollars } from "../shared/amounts";
import type { Option } from "./contextReplies";

type Measured = Pick<Option, "unit">;

export function shownUnit({ unit }: Measured): string {
  return unit === "cent" ? "dollars" : `${unit}s`;
}

/** Of one shown unit, so many are kept. */
export function keptPerShown({ unit }: Measured): number {
  return unit === "cent" ? 100 : 1;
}

/** The value that a number as people write it stands for; a text that is no number stays for the server to refuse. */
export function keptValue(option: Measured, typed: string): string | number {
  const number = Number(typed.trim().replace(/^\$/, ""));
  return option.unit === "cent" && Number.isFinite(number)
    ? Math.round(number * keptPerShown(option))
    : typed;
}

/** "8,000 tokens", "$0.50", "on", "automatic". */
export function valueWords({ value, unit, unset }: Option): string {
  if (value === null) return unset ?? "automatic";
  if (typeof value !== "number") return value === true ? "on" : value === false ? "off" : value;
  return unit === "cent" ? dollars(value / 100) : amountOf(value, unit ?? "");
}

/** The option that somebody means by what stands after `/config`. */
export function optionTyped(options: readonly Option[], name: string): Option | undefined {
  const typed = name.trim().toLowerCase().replaceAll("_", "-");
  return options.find((option) => option.typed === typed);
}
