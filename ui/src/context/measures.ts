import type { ContextBlock, ContextReport } from "../api/contextReplies";
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

const figure = (tokens: number) => Math.round(tokens).toLocaleString("en");

/** "Context: 12,300 of 32,000 tokens (38 %), of a window of 131,072". */
export function describeUse(report: ContextReport): string {
  const { estimatedTokens, working, window } = report;
  return `Context: ${figure(estimatedTokens)} of ${figure(working)} tokens (${percent(shareInUse(report))}), of a window of ${figure(window)}`;
}

/** What will be done for the conversation to go on to fit. */
export function describeNextAction({ nextAction, window }: ContextReport): string {
  const at = nextAction?.atTokens == null ? "" : ` at ${figure(nextAction.atTokens)} tokens`;
  switch (nextAction?.what) {
    case "digest":
      return `Older tool results are condensed${at}.`;
    case "checkpoint":
      return `Older turns are condensed${at}.`;
    case "emergency":
      return `Everything but the newest turn is condensed${at}, so that a request still fits ${figure(window)}.`;
    default:
      return "Nothing has to be condensed.";
  }
}

export interface Block {
  name: ContextBlock | "free" | "reserve";
  label: string;
  explanation: string;
  tokens: number;
  /** Of the window, from 0 to 1. */
  share: number;
}

const sent: readonly [ContextBlock, string, string][] = [
  ["tools", "Tools", "what the model may call"],
  ["system", "System message", "rules, skills and files"],
  ["checkpoint", "Checkpoint", "what older turns were condensed to"],
  ["turns", "Turns", "the conversation itself"],
  ["tail", "Tail", "goals, pins, reminders"],
];

/** The window cut into its blocks; what is left over between them and the answer's reserve is free. */
export function blocksOf({ blocks, window, reserve }: ContextReport): Block[] {
  const used = sent.reduce((sum, [name]) => sum + blocks[name], 0);
  const share = (tokens: number) => (window > 0 ? tokens / window : 0);
  const free = Math.max(0, window - reserve - used);
  return [
    ...sent.map(([name, label, explanation]) => ({
      name,
      label,
      explanation,
      tokens: blocks[name],
      share: share(blocks[name]),
    })),
    { name: "free", label: "Free", explanation: "", tokens: free, share: share(free) },
    {
      name: "reserve",
      label: "Reserve",
      explanation: "kept free for the answer",
      tokens: reserve,
      share: share(reserve),
    },
  ];
}
