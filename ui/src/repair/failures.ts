import type { Comfy, RunFailure } from "../comfy/bridge";
import { failedIn, failureOfNode } from "../comfy/failureWords";
import { createStore, type Store } from "../shared/store";
import { repairMessage } from "./repairMessage";

export interface Failures {
  /** What the person is offered to have repaired: of the workflow on the canvas. */
  latest: Store<RunFailure | undefined>;
  /** Counts the wishes, from outside the panel, to have `latest` repaired. */
  wishes: Store<number>;
  /** Whether ComfyUI reports something about this node of the canvas. */
  hasFailed(node: string): boolean;
  repairNode(node: string): void;
  /** The offer is taken or declined. */
  dismiss(): void;
  /** What the assistant is asked; the nodes that it is about come into view. */
  messageFor(failure: RunFailure): string;
}

/** In milliseconds: ComfyUI does not tell when another workflow comes to the front. */
const betweenLooks = 300;

export function createFailures(comfy: Comfy): Failures {
  const { queue } = comfy;
  const latest = createStore<RunFailure | undefined>(undefined);
  const wishes = createStore(0);
  const byWorkflow = new Map<string, RunFailure>();
  const open = () => comfy.workflow().key;
  let looks: ReturnType<typeof setInterval> | undefined;

  function show(): void {
    latest.set(byWorkflow.get(open()));
  }

  function keep(workflow: string, failure: RunFailure | undefined): void {
    if (failure) byWorkflow.set(workflow, failure);
    else byWorkflow.delete(workflow);
    clearInterval(looks);
    looks = byWorkflow.size > 0 ? setInterval(show, betweenLooks) : undefined;
    show();
  }

  keep(open(), queue.shownFailure());
  queue.watchFailures(keep);
  const failureOf = (node: string) =>
    [byWorkflow.get(open()), queue.shownFailure()]
      .map((failure) => failure && failureOfNode(failure, node))
      .find((failure) => failure !== undefined);
  return {
    latest,
    wishes,
    messageFor(failure) {
      comfy.bringIntoView(failedIn(failure, comfy.openPlace()));
      return repairMessage(failure, comfy);
    },
    hasFailed: (node) => failureOf(node) !== undefined,
    repairNode(node) {
      const failure = failureOf(node);
      if (!failure) return;
      keep(open(), failure);
      wishes.set((count) => count + 1);
    },
    dismiss: () => keep(open(), undefined),
  };
}
