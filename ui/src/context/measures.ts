import type { ContextReport } from "../api/contextReplies";
import { percent } from "../shared/amounts";

export type Level = "calm" | "filling" | "nearly-full";

const FILLING = 0.65;
const NEARLY_FULL = 0.85;

/** How much of the working set the last request took, from 0 to 1 and beyond. */
export function shareInUse({ estimatedTokens, working }: ContextReport): number {
  return working > 0 ? estimatedTokens / working : 0;
}

export function levelOf(report: ContextReport): Level {
  const share = shareInUse(report);
  if (share >= NEARLY_FULL) return "nearly-full";
  return share >= FILLING ? "filling" : "calm";
}

export const figure = (tokens: number) => Math.round(tokens).toLocaleString("en");

/** "Context: 12,300 of 32,000 tokens (38 %), of a window of 131,072". */
export function describeUse(report: ContextReport): string {
  const { estimatedTokens, working, window } = report;
  return `Context: ${figure(estimatedTokens)} of ${figure(working)} tokens (${percent(shareInUse(report))}), of a window of ${figure(window)}`;
}
