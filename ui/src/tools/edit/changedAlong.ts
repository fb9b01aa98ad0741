/** What ComfyUI's page has changed of nodes that a batch does not act on, such as others that follow a value. */

import type { NodeChange } from "../../graph/compact/changes";
import { pathOf, whatWords } from "../../graph/compact/changeWords";
import type { NodeId, Place } from "../../graph/graph";
import type { Applied } from "./applyPlan";
import type { BatchPlan } from "./planBatch";

/** Links are left out: what a batch takes away or puts between, its neighbours have to do with. */
export function changedAlong(
  changed: readonly NodeChange[],
  { steps }: BatchPlan,
  { idOf }: Pick<Applied, "idOf">,
  open: Place,
): string[] {
  const key = (graph: string | undefined, node: NodeId) => `${graph ?? ""} ${node}`;
  const asked = new Set(
    steps.flatMap(({ touches }) => touches.map(({ graph, node }) => key(graph, idOf(node)))),
  );
  return changed.flatMap((change) => {
    const differences = change.differences.filter(
      (difference) =>
        difference.of === "mode" ||
        (difference.of === "value" && difference.before && difference.after && !difference.isFed),
    );
    return asked.has(key(change.graph, change.node)) || differences.length === 0
      ? []
      : [`${pathOf(change, open)} ${whatWords({ ...change, differences }, open, { valueLength: 40 })}`];
  });
}
