/** A workflow loaded, held against what ran before, and put back where lines alone are the reason of a difference. */

import type { Comfy, LoadOptions } from "../../comfy/bridge";
import { touchedBeside, touchedBy } from "../../graph/compact/asked";
import type { CompactWorkflow } from "../../graph/compact/workflow";
import { linkedNode, type PromptNodes } from "../../graph/prompt";
import { differenceWords, type PromptDifference, promptDifferences } from "../../graph/promptDifferences";
import type { JsonObject } from "../../graph/uiWorkflow";
import { reasonOf } from "../../shared/reasonOf";
import type { Sight } from "../read/known";
import { look } from "../read/sight";
import { ToolError } from "../tool";
import { promptNow, unasked } from "./proof";

export interface Loaded {
  now: Sight;
  /** What runs otherwise without being asked for, and as much so where ComfyUI loads its own workflow again. */
  byPage: readonly PromptDifference[];
  /** Where it was put back: the reason, and what did not come back. */
  refused?: { wrong: readonly PromptDifference[]; left: readonly PromptDifference[] };
}

export interface Proof {
  /** Of the prompt before; undefined where nothing can be compared. */
  was: PromptNodes | undefined;
  before: Sight;
  savedBefore: JsonObject;
  /** The lines, where they are what was meant; else what was open was meant to stay as it is. */
  written?: CompactWorkflow | undefined;
}

export async function loadProven(
  comfy: Comfy,
  saved: JsonObject,
  options: LoadOptions,
  { was, before, savedBefore, written }: Proof,
): Promise<Loaded> {
  try {
    await comfy.whole.load(saved, options);
  } catch (error) {
    throw new ToolError(
      `ComfyUI could not load the workflow: ${reasonOf(error)} The open workflow is as it was.`,
      "Check it with fewer nodes, or build it with editWorkflow.",
    );
  }
  const now = look(comfy);
  const asked = {
    before: before.workflow,
    written: written ?? before.workflow,
    touched: written ? touchedBy(written, before.workflow) : touchedBeside(now.workflow, before.workflow),
  };
  const wrong = was ? await unasked(comfy, was, asked) : [];
  if (!was || wrong.length === 0) return { now, byPage: [] };
  await comfy.whole.load(savedBefore, options);
  const left = await differencesTo(comfy, was);
  const known = new Set(left.map(differenceWords));
  if (wrong.every((difference) => known.has(differenceWords(difference)))) {
    await comfy.whole.load(saved, options);
    return { now: look(comfy), byPage: wrong };
  }
  return { now, byPage: [], refused: { wrong, left: await setBack(comfy, was, left, options.turn) } };
}

/** Values that ComfyUI has not loaded again as it had saved them; what is left. */
async function setBack(
  comfy: Comfy,
  was: PromptNodes,
  left: readonly PromptDifference[],
  turn: string | undefined,
): Promise<readonly PromptDifference[]> {
  const values = left.flatMap(({ node, input, before }) =>
    input === undefined || before === undefined || linkedNode(before) !== undefined || node.includes(":")
      ? []
      : [{ node, input, value: before }],
  );
  if (values.length === 0) return left;
  for (const { node, input, value } of values)
    try {
      comfy.edit((editor) => editor.setWidget(node, input, value), turn === undefined ? {} : { turn });
    } catch {
      // It stays among what is left.
    }
  return comfy.finished(() => undefined).then(() => differencesTo(comfy, was));
}

async function differencesTo(comfy: Comfy, was: PromptNodes): Promise<PromptDifference[]> {
  return promptDifferences(was, (await promptNow(comfy)) ?? {});
}
