import type { ErrorDetails } from "../api/errors";

/** What stands above the composer: why a message did not go out, or what to type instead. */
export type ComposerNotice = { kind: "error"; details: ErrorDetails } | { kind: "hint"; text: string };
