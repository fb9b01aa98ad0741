/** What a loaded workflow has changed about the one that was open. */

import type { Comfy } from "../../comfy/bridge";
import { changesBetween, withTypesApart } from "../../graph/compact/changes";
import type { CompactWorkflow } from "../../graph/compact/workflow";
import { changeKinds } from "../../shared/graphChanges";
import { changesData, type Outcome, outcomeOf } from "../edit/outcome";

const mostNamed = 40;

export function loadOutcome(before: CompactWorkflow, after: CompactWorkflow): Outcome {
  return outcomeOf(withTypesApart(changesBetween(before, after)));
}

/** As `editWorkflow` lists them, of very many the first. */
export function namedChanges(comfy: Comfy, outcome: Outcome) {
  const left = changeKinds.reduce((sum, kind) => sum + Math.max(0, outcome[kind].length - mostNamed), 0);
  return {
    changes: changesData(outcome, comfy.openPlace(), mostNamed),
    ...(left > 0 && { notNamed: left }),
  };
}
