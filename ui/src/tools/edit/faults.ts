/** All that is wrong with an operation at once, so that it can be mended at once. */

import { ToolError } from "../tool";
import type { Step } from "./step";

/** Plans one after the other, those behind one that does not fit, too. Throws a ToolError that tells all that do not. */
export function* planEach(plans: readonly (() => Iterable<Step>)[]): Generator<Step, void> {
  const faults: ToolError[] = [];
  for (const plan of plans)
    try {
      yield* plan();
    } catch (error) {
      faults.push(faultOf(error));
    }
  if (faults.length > 0) throw asOne(faults);
}

/** Throws anything else. */
export function faultOf(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  throw error;
}

/** Undefined where nothing is wrong. Throws anything but a ToolError. */
export function faultIn(look: () => void): ToolError | undefined {
  try {
    look();
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}

/** Without those that follow from others; all where each does. */
export function rootsOf<Fault>(
  all: readonly Fault[],
  errorOf: (fault: Fault) => ToolError,
): readonly Fault[] {
  const roots = all.filter((fault) => !errorOf(fault).isConsequence);
  return roots.length > 0 ? roots : all;
}

export function asOne(all: readonly ToolError[]): ToolError {
  const faults = rootsOf(all, (fault) => fault);
  const [only] = faults;
  if (only && faults.length === 1) return only;
  const choicesOf = faults.flatMap((fault) => fault.choicesOf);
  const isUnknownNode = faults.some((fault) => fault.isUnknownNode);
  const isConsequence = faults.every((fault) => fault.isConsequence);
  return new ToolError(faultWords(faults), undefined, choicesOf, {
    isUnknownNode,
    isConsequence,
  });
}

/** A hint that several have is told once, behind the last of them. */
export function faultWords(faults: readonly Pick<ToolError, "message" | "hint">[]): string {
  const last = new Map(faults.map(({ hint }, index) => [hint, index]));
  return faults
    .flatMap(({ message, hint }, index) =>
      hint === undefined || last.get(hint) !== index ? [message] : [message, hint],
    )
    .join(" ");
}
