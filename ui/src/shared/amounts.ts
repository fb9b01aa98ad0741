/** "1 turn", "12 turns", "1,200 tokens". */
export function amountOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`;
}

/** "860", "24.1k", "1.2M": for places where a figure is glanced at. */
export function shortAmount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [size, unit] = count < 999_950 ? [1000, "k"] : [1_000_000, "M"];
  return `${(count / size).toFixed(1).replace(/\.0$/, "")}${unit}`;
}

/** "38 %", "0.4 %"; from a share between 0 and 1. */
export function percent(share: number): string {
  const value = share * 100;
  return `${value > 0 && value < 1 ? value.toFixed(1) : Math.round(value)} %`;
}

/** "$0", "$0.0042", "$12.30": at least two digits of it, and whole cents from a cent on. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  const digits = amount >= 0.01 ? 2 : Math.min(8, 1 - Math.floor(Math.log10(amount)));
  return `$${amount.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
