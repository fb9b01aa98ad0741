import type { Comfy, RunFailure } from "../comfy/bridge";
import { createStore, type Store } from "../shared/store";
import { failureOfNode } from "./failureWords";
import { repairMessage } from "./repairMessage";

export interface Failures {
  /** What the person is offered to have repaired. */
  latest: Store<RunFailure | undefined>;
  /** Counts the wishes, from outside the panel, to have `latest` repaired. */
  wishes: Store<number>;
  /** Whether ComfyUI reports something about this node of the canvas. */
  hasFailed(node: string): boolean;
  repairNode(node: string): void;
  /** What the assistant is asked. */
  messageFor(failure: RunFailure): string;
}

export function createFailures(comfy: Comfy): Failures {
  const { queue } = comfy;
  const latest = createStore(queue.shownFailure());
  const wishes = createStore(0);
  queue.watchFailures((failure) => latest.set(failure));
  const failureOf = (node: string) =>
    [latest.get(), queue.shownFailure()]
      .map((failure) => failure && failureOfNode(failure, node))
      .find((failure) => failure !== undefined);
  return {
    latest,
    wishes,
    messageFor: (failure) => repairMessage(failure, comfy),
    hasFailed: (node) => failureOf(node) !== undefined,
    repairNode(node) {
      const failure = failureOf(node);
      if (!failure) return;
      latest.set(failure);
      wishes.set((count) => count + 1);
    },
  };
}
