import type { ErrorDetails } from "../../api/errors";

/** What stands above the composer: why a message did not go out, what to type instead, or what a command has done. */
export type ComposerNotice =
  | { kind: "error"; details: ErrorDetails }
  | { kind: "hint"; text: string }
  | { kind: "done"; text: string; onUndo?: () => void };
