/** What a model knows of a workflow: of readings that showed parts of it, what each of them left unseen. */

import {
  type Changes,
  changesBetween,
  type NodeChange,
  withoutLooks,
  withTypesApart,
} from "../../graph/compact/changes";
import type { CompactWorkflow } from "../../graph/compact/workflow";

export interface Sight {
  revision: string;
  workflow: CompactWorkflow;
}

export interface Known {
  /** Of the newest reading. */
  revision: string;
  /** The first was seen whole; of each other one, all but what had changed and was not shown. */
  readings: readonly [Reading, ...Reading[]];
}

interface Reading extends Sight {
  /** Nodes that are known only as the readings before have them. */
  unseen: ReadonlySet<string>;
  /** Otherwise they are known only as the readings before have them. */
  hasGroups: boolean;
}

/** Whether a change was told, or can be seen in what was shown. */
export type Shows = (change: NodeChange) => boolean;

/** The oldest go first: what only they showed is told as changed once more. */
const mostReadings = 8;

/** What a reading shows of what had changed. */
export interface Shown {
  nodes: Shows;
  /** All of them; left out, none. */
  groups?: boolean;
}

/** The graph that a node lies in and its id there, whatever path leads to it. */
export function nodeKey({ graph, node }: Pick<NodeChange, "graph" | "node">): string {
  return JSON.stringify([graph, node]);
}

export function knownWhole(sight: Sight): Known {
  return { revision: sight.revision, readings: [{ ...sight, unseen: new Set(), hasGroups: true }] };
}

/** Where nothing was known, nothing can have changed unseen. */
export function knownInPart(known: Known | undefined, sight: Sight, shown: Shown): Known {
  const changes = known && changesSince(known, sight);
  const unseen = (changes?.nodes ?? []).filter((change) => !shown.nodes(change));
  const hasGroups = shown.groups || changes?.groups.length === 0;
  if (!known || (unseen.length === 0 && hasGroups)) return knownWhole(sight);
  const [first, ...others] = known.readings;
  const newest = { ...sight, unseen: new Set(unseen.map(nodeKey)), hasGroups };
  return { revision: sight.revision, readings: [first, ...others.slice(2 - mostReadings), newest] };
}

export function newestOf({ readings }: Known): Sight {
  return readings[readings.length - 1] ?? readings[0];
}

/** What a person's changes come to, without those that are nothing to plan for. */
export function changesSince({ readings }: Known, now: Sight): Changes {
  const all = readings.map((reading) => changesFrom(reading, now));
  const nodes = all.flatMap((changes, index) =>
    changes.nodes.filter((change) => {
      const key = nodeKey(change);
      return readings.findLastIndex(({ unseen }) => !unseen.has(key)) === index;
    }),
  );
  return { nodes, groups: all[readings.findLastIndex(({ hasGroups }) => hasGroups)]?.groups ?? [] };
}

function changesFrom(before: Sight, now: Sight): Changes {
  return before.revision === now.revision
    ? { nodes: [], groups: [] }
    : withTypesApart(withoutLooks(changesBetween(before.workflow, now.workflow)));
}
