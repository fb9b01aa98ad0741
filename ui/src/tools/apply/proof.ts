/** What was built, held against what was meant: nothing that the lines leave alone may be run otherwise. */

import type { Comfy } from "../../comfy/bridge";
import { type Asked, askedFor } from "../../graph/compact/asked";
import { placedNodes } from "../../graph/compact/ways";
import type { CompactWorkflow } from "../../graph/compact/workflow";
import type { PromptNodes } from "../../graph/prompt";
import { type PromptDifference, promptDifferences } from "../../graph/promptDifferences";
import { isCalled } from "./notKept";

/** What a run would execute; undefined where the page cannot make it, as of a broken graph. */
export async function promptNow(comfy: Comfy): Promise<PromptNodes | undefined> {
  try {
    return (await comfy.queue.prompt()).nodes;
  } catch {
    return undefined;
  }
}

/**
 * What is run otherwise than before, although nothing else was asked of it. What ComfyUI makes anew each time, such as
 * random values, is left out. `known` is the prompt of now, where it was just made.
 */
export async function unasked(
  comfy: Comfy,
  before: PromptNodes,
  asked: Asked,
  known?: PromptNodes,
): Promise<PromptDifference[]> {
  const after = known ?? (await promptNow(comfy)) ?? {};
  const isAsked = askedFor(asked, before, after);
  const found = promptDifferences(before, after).filter((difference) => !isAsked(difference));
  if (found.length === 0) return [];
  const moving = new Set(promptDifferences(after, (await promptNow(comfy)) ?? after).map(placeOf));
  return found.filter((difference) => !moving.has(placeOf(difference)));
}

function placeOf({ node, input }: PromptDifference): string {
  return `${node}.${input}`;
}

/** Inputs that are linked in the lines, from nodes that are active, and that get nothing when it is run: `3.image`. */
export function unfed(written: CompactWorkflow, prompt: PromptNodes): string[] {
  const placed = placedNodes(written);
  return [...placed].flatMap(([run, { node, around }]) =>
    node.links.flatMap(({ input, source }) => {
      const from = placed.get(around === undefined ? source.node : `${around}:${source.node}`);
      const inputs = Object.keys(prompt[run]?.inputs ?? {});
      const isEmpty = prompt[run] !== undefined && !inputs.some((name) => isCalled(name, input));
      return from?.node.mode === "active" && isEmpty ? [`${run}.${input}`] : [];
    }),
  );
}
