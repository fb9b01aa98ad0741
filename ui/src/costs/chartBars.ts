import type { Spent, SpentOnDay } from "./costsApi";

export type Measure = "money" | "tokens";

export interface Bar {
  /** The day or month, as people read it. */
  label: string;
  total: number;
  /** Of the models that took something, in the order of the models. */
  parts: { model: string; amount: number }[];
}

const DAY_MS = 86_400_000;
/** From here on a bar is a month. */
const MOST_DAYS = 62;

export const tokensOf = ({ inputTokens, outputTokens }: Spent) => inputTokens + outputTokens;
export const amountIn = (measure: Measure, spent: Spent) =>
  measure === "money" ? spent.dollars : tokensOf(spent);

/** A bar for each day from `since` to `today`, both as 2026-01-31, or for each month where those are many. */
export function barsOf(
  entries: readonly SpentOnDay[],
  { since, today }: { since: string; today: string },
  models: readonly string[],
  measure: Measure,
): Bar[] {
  const days = daysBetween(since, today);
  const length = days.length > MOST_DAYS ? "2026-01".length : "2026-01-31".length;
  return [...new Set(days.map((day) => day.slice(0, length)))].map((key) => {
    const within = entries.filter(({ day }) => day.startsWith(key));
    const parts = models
      .map((model) => ({
        model,
        amount: within
          .filter((entry) => entry.model === model)
          .reduce((sum, entry) => sum + amountIn(measure, entry), 0),
      }))
      .filter(({ amount }) => amount > 0);
    return { label: labelOf(key), total: parts.reduce((sum, { amount }) => sum + amount, 0), parts };
  });
}

function daysBetween(since: string, today: string): string[] {
  const [first, last] = [Date.parse(since), Date.parse(today)];
  return Array.from({ length: Math.max(1, Math.round((last - first) / DAY_MS) + 1) }, (_, index) =>
    new Date(last - index * DAY_MS).toISOString().slice(0, 10),
  ).reverse();
}

function labelOf(key: string): string {
  const isDay = key.length > "2026-01".length;
  return new Date(key).toLocaleDateString("en", {
    timeZone: "UTC",
    month: "short",
    ...(isDay ? { day: "numeric" } : { year: "numeric" }),
  });
}
