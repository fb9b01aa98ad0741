/** Links that a file tells of beside its wires, as the pack that broadcasts keeps them in the workflow. */

import { z } from "zod";
import type { JsonObject, UiWorkflow } from "./uiWorkflow";
import type { UnwiredLink } from "./unwired";

const id = z.union([z.string(), z.number()]).transform(String);
const keptSchema = z.looseObject({
  extra: z.looseObject({
    ue_links: z.array(
      z.looseObject({
        downstream: id,
        downstream_slot: z.number(),
        upstream: id,
        upstream_slot: z.number(),
        controller: id,
      }),
    ),
  }),
});

/** Of the workflow's own graph, and only into inputs that no wire leads to. */
export function savedBroadcasts(workflow: UiWorkflow): UnwiredLink[] {
  const kept = keptSchema.safeParse(workflow).data?.extra.ue_links ?? [];
  const nodes = new Map(workflow.nodes.map((node) => [String(node.id), node]));
  return kept.flatMap(({ downstream, downstream_slot, upstream, upstream_slot, controller }) => {
    const input = nodes.get(downstream)?.inputs?.[downstream_slot];
    const source = nodes.get(upstream);
    if (!input || !source || (input.link !== null && input.link !== undefined)) return [];
    const outputs = (source.outputs ?? []).map(({ name }) => name);
    return [
      {
        ...{
          place: [],
          node: downstream,
          input: input.name,
          source: upstream,
          output: upstream_slot,
          outputs,
        },
        ...(nodes.has(controller) && { via: controller }),
      },
    ];
  });
}

/** The pack deletes these links where a workflow is loaded, taking them for its own. */
const drawnForRun = "links_added_by_ue";

/**
 * A saved workflow whose links are wires, all of them: without the pack's note of the links that it drew for the last run
 * and took away again. Their numbers may be those of wires by now.
 */
export function withoutDrawnLinks<Workflow extends object>(workflow: Workflow): Workflow {
  const { extra, definitions } = workflow as {
    extra?: JsonObject;
    definitions?: { subgraphs?: object[] };
  };
  const isNoted = typeof extra === "object" && extra !== null && drawnForRun in extra;
  const { [drawnForRun]: _, ...kept } = isNoted ? extra : {};
  return {
    ...workflow,
    ...(isNoted && { extra: kept }),
    ...(definitions?.subgraphs && {
      definitions: { ...definitions, subgraphs: definitions.subgraphs.map(withoutDrawnLinks) },
    }),
  };
}
