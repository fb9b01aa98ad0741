/**
 * What every `Comfy` must do, as checks that need no test framework: vitest runs them on the fake, a browser on the
 * live page. Each starts from an empty graph and uses nodes that any ComfyUI has.
 */

import { reasonOf } from "../shared/reasonOf";
import { type Behaviour, emptyGraph } from "./behaviours/checks";
import { editBehaviours } from "./behaviours/edits";
import { linkBehaviours } from "./behaviours/links";
import { nodeBehaviours } from "./behaviours/nodes";
import { runBehaviours } from "./behaviours/runs";
import { subgraphBehaviours } from "./behaviours/subgraphs";
import { wholeWorkflowBehaviours } from "./behaviours/wholeWorkflow";
import type { Comfy } from "./bridge";

export const comfyBehaviours: readonly Behaviour[] = [
  ...nodeBehaviours,
  ...linkBehaviours,
  ...editBehaviours,
  ...subgraphBehaviours,
  ...wholeWorkflowBehaviours,
  ...runBehaviours,
];

/** Run the checks in order; resolves to the failures, as `name: reason`. */
export async function failingBehaviours(comfy: Comfy): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, check } of comfyBehaviours) {
    emptyGraph(comfy);
    try {
      await check(comfy);
    } catch (error) {
      failures.push(`${name}: ${reasonOf(error)}`);
    }
  }
  emptyGraph(comfy);
  return failures;
}
