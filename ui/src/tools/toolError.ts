/** Calls that are not carried out, apart from the running of tools: tools that load later need no more than this. */

import type { ToolFailure } from "./tool";

/** Thrown anywhere inside a tool, it becomes the tool's result. */
export class ToolError extends Error {
  readonly hint: string | undefined;
  /** The node types whose choices a value was not among: as the page knows them, which may be older than the server's. */
  readonly choicesOf: readonly string[];

  constructor(message: string, hint?: string, choicesOf: readonly string[] = []) {
    super(message);
    this.name = "ToolError";
    this.hint = hint;
    this.choicesOf = choicesOf;
  }
}

/** The result of a tool that the person did not allow; `what` says what it wanted to do. */
export function declined(what: string): ToolFailure {
  return { ...failure(`The user declined: ${what}`, "Ask what they want instead."), code: "declined" };
}

export function failure(error: string, hint?: string): ToolFailure {
  return hint === undefined ? { ok: false, error } : { ok: false, error, hint };
}
