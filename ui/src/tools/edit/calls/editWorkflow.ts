import type { Comfy } from "../../../comfy/bridge";
import type { Json } from "../../../graph/graph";
import { nodePath } from "../../../graph/nodePath";
import type { ToolContext, ToolResult, ToolSuccess } from "../../tool";
import { type BatchDone, runBatchIfAllowed } from "../batch";
import { readEdits } from "../batchArguments";
import { lostBy } from "../lost";
import type { WrittenEdit } from "../operation";
import type { Adjustment } from "../step";
import { toldOf } from "../summary";
import { outcomeData } from "./outcomeData";

interface Arguments {
  operations: readonly WrittenEdit[];
  revision?: string | undefined;
}

export async function editWorkflow(
  { operations, revision }: Arguments,
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
  const done = await runBatchIfAllowed(comfy, readEdits(operations), { ...context, revision });
  return "ok" in done ? done : success(done);
}

function success(done: BatchDone): ToolSuccess<Json> {
  const { open, adjusted, subgraphs, plan } = done;
  const names = plan.draft
    .namesGiven()
    .map(([name, { at, node }]) => [name, nodePath(at.place.map(done.idOf), done.idOf(node.id), open)]);
  const lost = lostBy(done);
  return {
    ok: true,
    ...toldOf(done),
    data: {
      ...(names.length > 0 && { nodes: Object.fromEntries(names) }),
      ...(subgraphs.length > 0 && { subgraphs: [...subgraphs] }),
      ...outcomeData(done),
      revision: done.revision,
      ...(lost.length > 0 && { notCarriedOver: lost }),
      ...(plan.leaves.length > 0 && { notMoved: [...plan.leaves] }),
      ...(adjusted.length > 0 && {
        adjusted: [...new Set(adjusted.map(adjustedWords))],
      }),
    },
  };
}

function adjustedWords({ node, widget, asked, kept }: Adjustment): string {
  return `${node}.${widget}: ComfyUI made ${JSON.stringify(kept)} of ${JSON.stringify(asked)}`;
}
