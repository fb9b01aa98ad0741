/** What the server is told of the open workflow. */

import type { Comfy, RunFailure } from "../../comfy/bridge";
import { withUnwired } from "../../graph/compact/unwired";
import { type CompactWorkflow, nodeCount } from "../../graph/compact/workflow";
import { changedNodes } from "./changedElsewhere";
import type { Sight } from "./known";
import { lastShown, look, otherWorkflow, type Reader, remember } from "./sight";

/** Nodes of a graph that is posted: a message with more would be refused as too large, and no small model takes it in. */
export const mostNodes = 1_000;

/** Nodes that are named as changed. */
const mostChanged = 100;

export interface OpenWorkflow {
  name: string;
  nodes: number;
  /** Where it was saved. */
  file?: string;
  /** The nodes that the person has changed since the model read it, by their paths. */
  changed?: string[];
  /** Of its graph. */
  id?: string;
  /** What the model has read last, where it is another one. */
  lastRead?: string;
  /** Where the model is shown it with the message, and it has no more than `mostNodes`. */
  graph?: CompactWorkflow;
  /** Why its last run failed. */
  failure?: RunFailure;
}

/** Undefined where ComfyUI cannot tell: a message does not fail for that. `isShown`: the model is shown the graph. */
export async function openWorkflow(
  comfy: Comfy,
  reader: Reader,
  { isShown = false } = {},
): Promise<OpenWorkflow | undefined> {
  const lastRead = otherWorkflow(comfy, reader);
  try {
    const sight = look(comfy);
    const nodes = nodeCount(sight.workflow);
    const isPosted = isShown && nodes <= mostNodes;
    const changed = isPosted ? [] : changedSinceRead(comfy, sight, reader);
    if (isPosted) remember(comfy, sight, reader.thread);
    const { name, file, id } = comfy.workflow();
    const failure = comfy.queue.shownFailure();
    return {
      name,
      ...(file !== undefined && { file }),
      ...(id !== undefined && { id }),
      nodes,
      ...(lastRead !== undefined && { lastRead }),
      ...(changed.length > 0 && { changed }),
      ...(failure && { failure }),
      ...(isPosted && { graph: withUnwired(sight.workflow, (await comfy.unwired()).links) }),
    };
  } catch {
    return undefined;
  }
}

function changedSinceRead(comfy: Comfy, sight: Sight, { thread }: Reader): string[] {
  return changedNodes(comfy, lastShown(comfy, thread), sight).slice(0, mostChanged);
}
