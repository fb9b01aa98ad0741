/** Links that ComfyUI's page loses while it loads a workflow. */

import { subgraphInput } from "../../../graph/graph";
import { inputEdgeId, linkObject, type UiGraph, type UiWorkflow } from "../../../graph/uiWorkflow";
import { type LiveGraph, liveNode, type Page, rootGraph } from "../page";
import { drawLink } from "./editGraph";
import { withoutMovingUp } from "./withoutMovingUp";

/**
 * Gives nodes that have lost links those that they have in `saved`. A page of 1.58 gives the growing row of a choice two
 * inputs while it loads, and loses the links into others or gives them to what comes next, also of what it has saved
 * itself. A row grows where something is linked that was not.
 */
export function relink(page: Page, saved: Partial<UiWorkflow>): void {
  const root = rootGraph(page);
  relinkGraph(root, saved);
  for (const definition of saved.definitions?.subgraphs ?? []) {
    const graph = root.subgraphs?.get(definition.id);
    if (graph) relinkGraph(graph, definition);
  }
}

/** `isWhole` gives them all links that they have in `saved`, and no other, wherever some are lost. */
export function relinkGraph(
  graph: LiveGraph,
  { nodes = [], links = [] }: Pick<Partial<UiGraph>, "links"> & { nodes?: readonly SavedSlots[] },
  { isWhole = false } = {},
): void {
  const saved = new Map(links.map(linkObject).map((link) => [link.id, link]));
  for (const { id, type, inputs = [] } of nodes) {
    const node = liveNode(graph, String(id));
    if (node?.type !== type) continue;
    const linked = inputs.flatMap(({ name, link }) => {
      const from = link == null ? undefined : saved.get(link);
      return from ? [{ name, from }] : [];
    });
    const slotOf = (name: string) => node?.inputs?.findIndex((input) => input.name === name) ?? -1;
    const isLost = (name: string) => node?.inputs?.[slotOf(name)]?.link == null;
    const isStray = ({ name, link }: { name: string; link?: unknown }) =>
      link != null && !linked.some((each) => each.name === name);
    const isWrong = isWhole && (linked.some(({ name }) => isLost(name)) || (node.inputs ?? []).some(isStray));
    if (!isWrong && !linked.some(({ name }) => isDynamic(name) && isLost(name))) continue;
    for (const [slot, input] of (node.inputs ?? []).entries())
      if (isStray(input)) withoutMovingUp(isWhole ? [node] : [], () => node.disconnectInput(slot));
    for (const { name, from } of linked) {
      if (slotOf(name) < 0 || !(isLost(name) || isDynamic(name))) continue;
      if (!isLost(name)) withoutMovingUp([node], () => node.disconnectInput(slotOf(name)));
      const origin = String(from.origin_id);
      drawLink(
        graph,
        { node: origin === inputEdgeId ? subgraphInput : origin, output: from.origin_slot },
        { node: String(id), input: slotOf(name) },
      );
    }
  }
}

type SavedSlots = Pick<UiGraph["nodes"][number], "id" | "type" | "inputs">;

/** Of a growing row or a choice, as `images.image0` and `model.images.image_1`. */
function isDynamic(name: string): boolean {
  return name.includes(".");
}
