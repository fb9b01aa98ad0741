/** What a tool tells of itself and asks while it is called, as tools and the conversation both know it. */

import type { ReactNode } from "react";

export interface ToolProgress {
  text?: string;
  /** From 0 to 1. */
  fraction?: number;
  /** What a call that makes several things has made by now, as its result would be: shown, and kept after a Stop. */
  soFar?: unknown;
}

/**
 * Why a call failed, where the panel does something because of it: it tells the person so in other words than the
 * model, or offers what helps. The server knows the same: `contract/failureCodes.json`. A failure without a code is an
 * ordinary one, and shown with its own words.
 */
export const failureCodes = [
  "stopped",
  "declined",
  "cut-off",
  "too-many-calls",
  "repeated",
  "other-workflow",
  "out-of-memory",
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** A node that a question is about, as it stands in its words. */
export interface AskedNode {
  words: string;
  /** Absolute: `/5`, and `12:5` inside a subgraph. */
  path: string;
  type: string;
}

/** Words of a question, with the nodes in them. */
export type AskedWords = readonly (string | AskedNode)[];

/** As one who cannot point at nodes reads them. */
export function plainWords(words: AskedWords): string {
  return words.map((word) => (typeof word === "string" ? word : word.words)).join("");
}

/** What a tool is about to do, in words for the person who is asked. */
export interface ApprovalRequest {
  /** As a question: "Delete 12 nodes?" */
  title: string;
  /** What exactly, for example the nodes' names. */
  detail?: string;
  /** The same words, where a click on a node in them shows it on the canvas of that workflow (`Workflow.key`). */
  pointing?: { title: AskedWords; detail: AskedWords; workflow: string };
  /** Text by others that the model had read before, beside the open workflow. */
  outside?: readonly string[];
  /** Asked in Auto mode too. */
  always?: boolean;
  /** Names what was allowed: in Auto mode the same is not asked about again for as long as the page stands. */
  same?: string | undefined;
  /** A yes that is kept beyond this question, what its button says, and what is `same` from then on. */
  forGood?: { label: string; title: string; keep(): Promise<unknown>; same?: string | undefined };
  /** What the button for yes says, where that is not "Allow". */
  allow?: string;
  /** Shown under the words, for what the person chooses or enters. */
  body?: ReactNode;
}
