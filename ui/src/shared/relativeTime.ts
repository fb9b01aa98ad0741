const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** How long ago `then` was, as in "3 hours ago"; "just now" below a minute. */
export function relativeTime(then: Date, now: Date, locale = "en"): string {
  const seconds = (then.getTime() - now.getTime()) / 1000;
  const step = steps.find(([, size]) => Math.abs(seconds) >= size);
  if (!step) return "just now";
  const [unit, size] = step;
  return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(Math.trunc(seconds / size), unit);
}

/** A point in time as short as it can be told: the time of today, else the day as well. */
export function timeOfDay(then: Date, now: Date, locale?: string): string {
  const time: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
  const isToday = then.toDateString() === now.toDateString();
  return then.toLocaleString(locale, isToday ? time : { ...time, day: "numeric", month: "short" });
}
