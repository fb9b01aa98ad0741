import type { Comfy } from "../../../comfy/bridge";
import { arrange } from "../../../graph/arrange";
import { whereabouts } from "../../read/references";
import { ToolError, type ToolResult } from "../../tool";
import { Draft } from "../draft";

export async function arrangeNodes(
  { nodes: wanted }: { nodes?: readonly string[] | undefined },
  comfy: Comfy,
): Promise<ToolResult> {
  const draft = new Draft(comfy);
  const { graph, place } = draft.graphAt();
  const ids = wanted?.flatMap((reference) => {
    if (reference.trim().toLowerCase() === "selection") return graph.selection;
    const named = draft.nodesAndGroups([reference]);
    if (named.some(({ at }) => at.graph !== graph))
      throw new ToolError(
        `Node ${reference} is not in the open graph.`,
        "Ask the user to open its subgraph.",
      );
    return named.map(({ node }) => node.id);
  });
  if (ids?.length === 0) throw new ToolError("Nothing is selected.", "Name the nodes, or leave nodes out.");
  const { positions, groups } = arrange(graph, ids ?? graph.nodes.map(({ id }) => id));
  if (positions.size === 0) throw new ToolError("The open graph is empty: there is nothing to arrange.");
  comfy.edit((editor) => {
    const within = editor.within(place);
    for (const [id, position] of positions) within.moveNode(id, position);
    for (const [index, bounds] of groups) within.placeGroup(index, bounds);
  });
  await comfy.finished(() => {});
  comfy.bringIntoView([...positions.keys()], { always: true });
  return {
    ok: true,
    summary: `Arranged ${ids ? `nodes ${[...positions.keys()].join(", ")}` : `all ${positions.size} nodes`}${whereabouts(comfy)}.`,
    data: { moved: positions.size, groups: groups.size },
  };
}
