import { amountOf, shortAmount } from "./amounts";

interface Compaction {
  turns: number;
  rounds: number;
  tokensBefore: number;
  tokensAfter: number;
  /** What it was done by; "clear" leaves nothing of what stood before. */
  cause?: string;
}

/** "12 turns and 30 tool results summarized: 24.1k → 11.5k tokens". */
export function describeCompaction({ turns, rounds, tokensBefore, tokensAfter, cause }: Compaction): string {
  const tokens = `${shortAmount(tokensBefore)} → ${shortAmount(tokensAfter)} tokens`;
  if (cause === "clear") return `Context cleared: ${tokens}`;
  const what = [turns > 0 && amountOf(turns, "turn"), rounds > 0 && amountOf(rounds, "tool result")]
    .filter(Boolean)
    .join(" and ");
  return `${what || "Older messages"} summarized: ${tokens}`;
}
