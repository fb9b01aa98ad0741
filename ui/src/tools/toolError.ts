/** Calls that are not carried out, apart from the running of tools: tools that load later need no more than this. */

import type { StoredFile } from "../comfy/bridge";
import type { Json } from "../graph/graph";
import type { ToolFailure } from "./tool";

/** What of a call that sets a value would fit in place of what was asked for. */
export interface Fitting {
  node?: string;
  widget?: string;
  value?: Json;
}

interface ErrorDetails {
  fitting?: Fitting;
  sendInstead?: object | undefined;
  isUnknownNode?: boolean;
  isConsequence?: boolean;
}

/** What the page may not have heard of: the choices of a node type, or a file that a picture's widget could take. */
export type FreshChoice = string | StoredFile;

/** Thrown anywhere inside a tool, it becomes the tool's result. */
export class ToolError extends Error {
  readonly hint: string | undefined;
  /** The node types whose choices a value was not among, as the page knows them, and files that it may be. */
  readonly choicesOf: readonly FreshChoice[];
  readonly fitting: Fitting;
  /** The arguments with which the same tool would do what was meant. */
  readonly sendInstead: object | undefined;
  /** It names a node that there is not, which may be one of another open workflow. */
  readonly isUnknownNode: boolean;
  /** It names what another refusal keeps from being made: nothing of it is to be mended. */
  readonly isConsequence: boolean;

  constructor(
    message: string,
    hint?: string,
    choicesOf: readonly FreshChoice[] = [],
    { fitting = {}, sendInstead, isUnknownNode = false, isConsequence = false }: ErrorDetails = {},
  ) {
    super(message);
    this.name = "ToolError";
    this.hint = hint;
    this.choicesOf = choicesOf;
    this.fitting = fitting;
    this.sendInstead = sendInstead;
    this.isUnknownNode = isUnknownNode;
    this.isConsequence = isConsequence;
  }

  /** The same, but for what is given here. */
  with(more: { message?: string; hint?: string; sendInstead?: object; isUnknownNode?: boolean }): ToolError {
    const { message, choicesOf, hint, ...details } = this;
    return new ToolError(more.message ?? message, more.hint ?? hint, choicesOf, { ...details, ...more });
  }

  /** The same with the arguments that would do what was meant, where there are any. */
  offering(sendInstead: object | undefined): ToolError {
    const { message, hint, choicesOf, isUnknownNode } = this;
    return new ToolError(message, hint, choicesOf, { sendInstead, isUnknownNode });
  }
}

/** Thrown anywhere inside a tool, its result is `declined`: the person did not allow what `what` says. */
export class Declined extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`The user declined: ${what}`);
    this.what = what;
  }
}

export function noSuchNode(error: string, hint?: string, fitting: Fitting = {}): ToolError {
  return new ToolError(error, hint, [], { fitting, isUnknownNode: true });
}

/** A slot or widget that there is not. */
export function notThere(error: string, hint?: string, fitting: Fitting = {}): ToolError {
  return new ToolError(error, hint, [], { fitting });
}

/** The result of a tool that the person did not allow; `what` says what it wanted to do. */
export function declined(what: string): ToolFailure {
  return { ...failure(`The user declined: ${what}`, "Ask what they want instead."), code: "declined" };
}

/** Another workflow is open than the one that was meant. */
export function otherWorkflowOpen(error: string, hint?: string): ToolFailure {
  return { ...failure(error, hint), code: "other-workflow" };
}

export function failure(error: string, hint?: string): ToolFailure {
  return hint === undefined ? { ok: false, error } : { ok: false, error, hint };
}

/** Undefined where it throws a `ToolError`. */
export function attempt<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
