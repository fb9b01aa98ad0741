/** What ComfyUI's page has changed of nodes that a batch does not act on, such as others that follow a value. */

import type { Comfy } from "../../comfy/bridge";
import type { Difference, NodeChange } from "../../graph/compact/changes";
import { pathOf, whatWords } from "../../graph/compact/changeWords";
import { findNode, type LinkSource, type NodeId, type Place } from "../../graph/graph";
import { isRead } from "../../graph/laterFields";
import type { Applied } from "./applyPlan";
import type { BatchPlan } from "./planBatch";

/** Links are asked for where the draft has them: what a batch takes away or puts between, its neighbours have to do with. */
export function changedAlong(
  comfy: Comfy,
  changed: readonly NodeChange[],
  plan: BatchPlan,
  applied: Pick<Applied, "idOf" | "restructured">,
  open: Place,
): string[] {
  const key = (graph: string | undefined, node: NodeId) => `${graph ?? ""} ${node}`;
  const asked = new Set(
    plan.steps.flatMap(({ touches }) => touches.map(({ graph, node }) => key(graph, applied.idOf(node)))),
  );
  return changed.flatMap((change) => {
    if (asked.has(key(change.graph, change.node))) return [];
    const isUnforeseen = linksUnforeseen(comfy, change, plan, applied);
    const differences = change.differences.filter(
      (difference) =>
        difference.of === "mode" ||
        (difference.of === "value" && difference.before && difference.after && !difference.isFed) ||
        (difference.of === "link" && isUnforeseen(difference)),
    );
    return differences.length === 0
      ? []
      : [`${pathOf(change, open)} ${whatWords({ ...change, differences }, open, { valueLength: 40 })}`];
  });
}

/** Whether a link that came or went is otherwise in the draft; of what went into a subgraph no draft foresees all. */
function linksUnforeseen(
  comfy: Comfy,
  { graph, node, places }: NodeChange,
  { draft }: BatchPlan,
  { idOf, restructured }: Pick<Applied, "idOf" | "restructured">,
): (difference: Difference & { of: "link" }) => boolean {
  const drafted = draft.graphs.get(graph);
  const [live, planned] = [comfy.node(node, places[0]), drafted && findNode(drafted.graph, node)];
  if (!live || restructured.includes(graph) || (drafted && !planned)) return () => false;
  // A batch that has not looked at the links of a node leaves them as they were.
  const isLeft = !planned || !isRead(planned, "inputs");
  return ({ input }) => {
    if (isLeft) return true;
    const place = slotOf(live.inputs, input);
    const now = live.inputs[place]?.linkedFrom;
    const name = live.inputs[place]?.name;
    const meant = planned.inputs.find((each) => each.name === name) ?? planned.inputs[place];
    return !isSame(meant?.linkedFrom, now, idOf);
  };
}

/** An input is told by its name, or as `#1` by its place. */
function slotOf(inputs: readonly { name: string }[], input: string): number {
  const named = inputs.findIndex(({ name }) => name === input);
  return named < 0 && input.startsWith("#") ? Number(input.slice(1)) : named;
}

function isSame(
  meant: LinkSource | undefined,
  now: LinkSource | undefined,
  idOf: (draftId: NodeId) => NodeId,
): boolean {
  if (!meant || !now) return !meant && !now;
  return idOf(meant.node) === now.node && (meant.output === now.output || meant.name === now.name);
}
