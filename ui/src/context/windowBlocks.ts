import type { ContextBlock, ContextReport } from "../api/contextReplies";
import { figure } from "./measures";

/** What will be done for the conversation to go on to fit. */
export function describeNextAction({ nextAction, window }: ContextReport): string {
  const at = nextAction?.atTokens == null ? "" : ` at ${figure(nextAction.atTokens)} tokens`;
  switch (nextAction?.what) {
    case "digest":
      return `Older tool results are shortened${at}.`;
    case "checkpoint":
      return `Older turns are summarized${at}.`;
    case "emergency":
      return `Everything but the newest turn is summarized${at}, so that a request still fits ${figure(window)}.`;
    default:
      return "Everything still fits.";
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
  ["checkpoint", "Checkpoint", "the summary of older turns"],
  ["turns", "Turns", "the conversation itself"],
  ["tail", "Tail", "goals, pins, repeated rules"],
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
