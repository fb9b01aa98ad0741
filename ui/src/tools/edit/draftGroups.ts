/** Groups that a batch names by their titles. */

import type { GraphGroup } from "../../graph/graph";
import { groupPlaces, groupsReferred } from "../read/references";
import { attempt, ToolError } from "../toolError";
import type { Draft } from "./draft";
import type { DraftGraph, DraftGraphs } from "./draftGraphs";

export interface LocatedGroup {
  at: DraftGraph;
  group: GraphGroup;
  /** Its place among the groups of its graph. */
  index: number;
}

/** One of the open graph, else of the subgraph whose path stands before it, else the only one of the workflow. */
export function groupMeant(draft: Draft, graphs: DraftGraphs, wanted: string): LocatedGroup | undefined {
  const [, path, title = ""] = /^(.+?)[:/](.+)$/s.exec(wanted) ?? [];
  const inside = path === undefined ? undefined : attempt(() => draft.insideOf(path));
  const ways = [
    () => groupsIn(draft.graphAt(), wanted),
    () => (inside ? groupsIn(inside, title.trim()) : []),
    () => graphs.inAll((_, at) => groupsIn(at, wanted)),
  ];
  for (const way of ways) {
    const [first, ...others] = way();
    if (first && others.length === 0) return first;
    if (first) throw severalCalled([first, ...others]);
  }
  return undefined;
}

function groupsIn(at: DraftGraph, wanted: string): LocatedGroup[] {
  return groupsReferred(at.graph, wanted).map((group) => ({
    at,
    group,
    index: at.graph.groups.indexOf(group),
  }));
}

function severalCalled(all: readonly [LocatedGroup, ...LocatedGroup[]]): ToolError {
  const [{ at, group }] = all;
  const isApart = all.some((each) => each.at !== at);
  const paths = all.map((each) => [...each.at.place, each.group.title].join(":"));
  return new ToolError(
    `${all.length} groups are called "${group.title}".`,
    isApart
      ? `Name one with its subgraph: ${paths.join(", ")}.`
      : `Name one by its place from top to bottom: ${groupPlaces(all.map((each) => each.group))}.`,
  );
}
