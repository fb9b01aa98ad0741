/** Frames that a batch takes away: those it is told to, and those whose nodes have all gone, also into a subgraph. */

import { isInside, outline } from "../../graph/placement";
import type { Draft } from "./draft";
import type { LocatedGroup } from "./draftGroups";
import type { Step } from "./step";

/** Of the groups that are there at this point of the batch. Its nodes stay. */
export function takeFrame({ at, group, index }: LocatedGroup): Step {
  at.graph.groups = at.graph.groups.filter((each) => each !== group);
  return { at, touches: [], isLast: true, apply: (editor) => editor.removeGroup(index) };
}

/**
 * To be asked once all nodes have their places: a new one may stand where a group had its last, but none for a subgraph
 * that took those.
 */
export function emptiedFrames(draft: Draft): Step[] {
  return [...draft.graphs.values()].flatMap((at) => {
    const { groups } = at.graph;
    const nodes = at.graph.nodes.filter((node) => !draft.hasPacked(node));
    const ids = new Set(at.graph.nodes.map(({ id }) => id));
    const emptied = groups.filter(
      (group) =>
        group.nodes.length > 0 &&
        !group.nodes.some((id) => ids.has(id)) &&
        !nodes.some((node) => group.bounds && isInside(group.bounds, outline(node))),
    );
    return emptied.map((group) => takeFrame({ at, group, index: at.graph.groups.indexOf(group) }));
  });
}
