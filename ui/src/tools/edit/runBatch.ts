/** Carries out edits. What that takes loads with the first. */

import type { Comfy } from "../../comfy/bridge";
import type { Json } from "../../graph/graph";
import { laterPart } from "../laterPart";
import type { ToolContext, ToolFailure } from "../tool";
import type { BatchDone, Origin } from "./batch";
import type { Edit } from "./operation";
import { changesData } from "./outcome";

export type { BatchDone };

/**
 * Throws a ToolError that names every refused edit, and `Declined` where the page would fetch something by it that the
 * person does not want; nothing is changed then.
 */
export async function runBatch(
  comfy: Comfy,
  edits: readonly Edit[],
  origin: Origin = {},
): Promise<BatchDone> {
  return (await laterPart(import("./batch"))).runBatch(comfy, edits, origin);
}

/** Asks the person before what takes much of their workflow; a result for the model where they do not agree. */
export async function runBatchIfAllowed(
  comfy: Comfy,
  edits: readonly Edit[],
  context: ToolContext & Origin,
): Promise<BatchDone | ToolFailure> {
  return (await laterPart(import("./batch"))).runBatchIfAllowed(comfy, edits, context);
}

/** For results: what became different, what is to be done yet, and what the person changed meanwhile. */
export function outcomeData(done: BatchDone): { [field: string]: Json } {
  const { stillUnconnected, notChosen, unchanged, news, open } = done;
  return {
    changes: changesData(done, open),
    ...(stillUnconnected.length > 0 && { stillUnconnected }),
    ...(notChosen.length > 0 && { notChosen }),
    ...(unchanged.length > 0 && { unchanged }),
    ...(news.lines.length > 0 && { changedByTheUser: news.lines }),
  };
}
