import type { ContextReport } from "../api/contextReplies";

/** Such as the server tells of a chat. */
export const report: ContextReport = {
  form: "full",
  estimatedTokens: 12_300,
  window: 40_000,
  working: 32_000,
  reserve: 4_000,
  blocks: { tools: 3_000, system: 4_000, checkpoint: 300, turns: 4_600, tail: 400 },
  pinned: 0,
  nextAction: { what: "digest", atTokens: 21_500 },
};
