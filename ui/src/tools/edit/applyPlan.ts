/** A plan carried out in ComfyUI, and read again before anybody reports it. */

import type { Comfy } from "../../comfy/bridge";
import type { NodeId } from "../../graph/graph";
import type { DraftGraph } from "./draftGraphs";
import { LiveGraph, LiveIds, type Restorer, type ShownUnasked } from "./liveGraph";
import type { BatchPlan } from "./planBatch";
import type { Adjustment } from "./step";

export interface Applied {
  /** What became of the draft's ids. */
  idOf(draftId: NodeId): NodeId;
  /** Nodes that stand for the subgraphs that were made. */
  subgraphs: readonly NodeId[];
  /** What ComfyUI shows on them by itself. */
  shownUnasked: readonly ShownUnasked[];
  restorers: readonly Restorer[];
  /** What went far from where one looks for it, and how far. */
  movedFar: readonly string[];
  adjusted: readonly Adjustment[];
  /** Definitions of the graphs from which nodes went into a subgraph, or into which they came out of one. */
  restructured: readonly (string | undefined)[];
}

/** Throws where ComfyUI does not do what the plan says; then the workflow is as it was. */
export function applyPlan(comfy: Comfy, { steps, moved: shoved }: BatchPlan): Applied {
  const ids = new LiveIds();
  const graphs = new Map<DraftGraph, LiveGraph>();
  const liveAt = (at: DraftGraph): LiveGraph => {
    const live = graphs.get(at) ?? new LiveGraph(comfy, at, ids);
    graphs.set(at, live);
    return live;
  };
  const adjusted = comfy.edit((editor) => {
    for (const step of [...steps.filter(({ isLast }) => !isLast), ...steps.filter(({ isLast }) => isLast)])
      step.apply(editor.within(ids.at(step.at.place)), liveAt(step.at));
    const isThere = ({ place }: DraftGraph) => !place.some((id) => ids.expanded.has(ids.of(id)));
    const adjusted = steps.flatMap((step) => (isThere(step.at) ? (step.check?.(liveAt(step.at)) ?? []) : []));
    for (const [at, live] of graphs) {
      if (!isThere(at)) continue;
      live.expectNoLoop();
      if (at.place.length > 0 && shoved.some((node) => node.at === at))
        editor.within(ids.at(at.place)).clearEdges();
    }
    for (const { settle } of ids.restorers) settle();
    return adjusted;
  });
  const restructured = [...graphs].flatMap(([{ definition }, live]) =>
    live.isRestructured ? definition : [],
  );
  const { subgraphs, restorers, moved: movedFar } = ids;
  const shownUnasked = [...ids.shownUnasked.values()];
  return { idOf: (id) => ids.of(id), subgraphs, shownUnasked, restorers, movedFar, adjusted, restructured };
}
