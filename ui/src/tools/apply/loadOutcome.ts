/** What a loaded workflow has changed about the one that was open. */

import type { Comfy } from "../../comfy/bridge";
import { type CompactWorkflow, instancePaths } from "../../graph/compact/workflow";
import { changesData, type GraphBefore, type Outcome, outcomeOf } from "../edit/outcome";

const mostNamed = 40;

/** The graphs as they are, to be looked at again once the other workflow is there. */
export function graphsNow(comfy: Comfy, workflow: CompactWorkflow): GraphBefore[] {
  const inner = [...instancePaths(workflow).values()].flatMap((paths) => paths.slice(0, 1));
  return [[], ...inner.map((path) => path.split(":"))].map((place) => ({
    place,
    before: comfy.graph(place),
  }));
}

/** Of a workflow in a tab of its own, all is new. */
export const nothingBefore: readonly GraphBefore[] = [
  { place: [], before: { scope: { kind: "workflow" }, nodes: [], groups: [], selection: [] } },
];

/** Nodes that share no more than their number are others. */
export function loadOutcome(comfy: Comfy, before: readonly GraphBefore[]): Outcome {
  return outcomeOf(comfy, before, (was, is) => was.type === is.type);
}

/** As `editWorkflow` lists them, of very many the first. */
export function namedChanges(comfy: Comfy, outcome: Outcome) {
  const changes = changesData(outcome, comfy.openPlace());
  const lists = Object.values(changes);
  const left = lists.reduce((sum, { length }) => sum + Math.max(0, length - mostNamed), 0);
  return {
    changes: {
      added: changes.added.slice(0, mostNamed),
      changed: changes.changed.slice(0, mostNamed),
      removed: changes.removed.slice(0, mostNamed),
    },
    ...(left > 0 && { notNamed: left }),
  };
}
