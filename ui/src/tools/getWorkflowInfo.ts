import { z } from "zod";
import { compactGraph, describeNodes, outlineGraph } from "../graph/compact";
import type { Graph } from "../graph/graph";
import { graphRevision } from "../graph/revision";
import { listArgument, textArgument } from "./arguments";
import { nodeReferred, whereabouts } from "./references";
import { defineTool } from "./tool";

/** About 8,000 tokens; a longer listing becomes an outline. */
const longestListing = 24_000;

export const getWorkflowInfo = defineTool({
  name: "getWorkflowInfo",
  description:
    'Read the open workflow. One line per node: id type "title" input<sourceId.OUTPUT widget=value. "<?" marks a required input without a source; widgets at their default are left out. With nodeIds: all slots, widgets and choices of these nodes.',
  input: z.object({
    nodeIds: listArgument(textArgument("Node id or title."), "Only these nodes, in detail.").optional(),
  }),
  run({ nodeIds }, comfy) {
    const graph = comfy.graph();
    const { name } = comfy.workflow();
    const counts = { nodes: graph.nodes.length, links: linkCount(graph) };
    const about = {
      workflow: name,
      ...(graph.scope.kind === "subgraph" && { openSubgraph: graph.scope.name }),
      ...counts,
      revision: graphRevision(graph),
    };
    if (nodeIds && nodeIds.length > 0) {
      const nodes = nodeIds.map((reference) => nodeReferred(graph, reference));
      const ids = nodes.map((node) => node.id).join(", ");
      return {
        ok: true,
        summary: `Read node${nodes.length === 1 ? "" : "s"} ${ids} of "${name}"${whereabouts(graph.scope)}.`,
        data: { ...about, text: describeNodes(nodes) },
      };
    }
    const listing = compactGraph(graph);
    const isLong = listing.length > longestListing;
    return {
      ok: true,
      summary: `Read "${name}"${whereabouts(graph.scope)}: ${counts.nodes} nodes, ${counts.links} links${isLong ? ", values left out" : ""}.`,
      data: isLong
        ? {
            ...about,
            text: outlineGraph(graph),
            left_out: "Widget values. Pass nodeIds to read those of a few nodes.",
          }
        : { ...about, text: listing === "" ? "The workflow is empty." : listing },
    };
  },
  label: ({ nodeIds }) =>
    nodeIds && nodeIds.length > 0 ? `Read node ${nodeIds.join(", ")}` : "Read the workflow",
});

function linkCount(graph: Graph): number {
  return graph.nodes.flatMap((node) => node.inputs).filter((input) => input.linkedFrom).length;
}
