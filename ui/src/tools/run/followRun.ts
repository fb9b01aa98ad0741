/** One run of the workflow, from the queue to its record. */

import type {
  Accepted,
  PromptQueue,
  Refusal,
  RunError,
  RunEvent,
  RunRecord,
  RunRequest,
  Submission,
  SubmitOptions,
} from "../../comfy/bridge";
import type { NodeId } from "../../graph/graph";

export type RunOutcome =
  | { status: "refused"; refusal: Refusal }
  | ({ status: "finished"; record: RunRecord } & Omit<Accepted, "accepted">)
  /** Stopped by the signal. `isOver` is false while the node at work has not let go yet. */
  | { status: "stopped"; isOver: boolean; record?: RunRecord }
  /** Taken out of the queue by somebody else, or ComfyUI restarted. */
  | { status: "lost" }
  /** ComfyUI has stopped answering. */
  | { status: "unreachable"; promptId: string }
  | { status: "unfinished"; promptId: string };

export type RunStage =
  | { at: "queued"; ahead: number }
  | { at: "started" }
  /** ComfyUI does not answer right now. */
  | { at: "unreachable" }
  | { at: "node"; node: NodeId; fraction: number };

export interface FollowOptions extends SubmitOptions {
  signal: AbortSignal;
  onStage(stage: RunStage): void;
  /** Seconds between looks at the queue when nothing is heard; a lost websocket costs at most this. */
  lookEvery?: number;
  /** Seconds to wait for the run's end. The run itself is left alone. */
  atMost?: number;
  /** As soon as it is in the queue. */
  onAccepted?(submission: Accepted): void;
}

/** Seconds for which a record may lag behind the event that announces it, or a stopped run behind the request. */
const recordLag = 5;
const stopLag = 3;

/** Seconds without any answer from ComfyUI after which the run is given up: a start with many packages may take them. */
const patience = 120;

/**
 * Queue a run and wait for its end.
 *
 * Events only say when to look; what happened is read from ComfyUI's record. So nothing is lost when events come before
 * the prompt's id is known, as for cached runs, or not at all.
 */
export function followRun(
  queue: PromptQueue,
  options: FollowOptions,
  request?: RunRequest,
): Promise<RunOutcome> {
  return following(queue, options, () => queue.submit(request, options));
}

/** Wait for the end of a run that is in the queue already. */
export function rejoinRun(
  queue: PromptQueue,
  submission: Omit<Accepted, "accepted">,
  options: FollowOptions,
): Promise<RunOutcome> {
  queue.adopt(submission.promptId);
  return following(queue, options, async () => ({ accepted: true, ...submission }));
}

async function following(
  queue: PromptQueue,
  options: FollowOptions,
  submit: () => Promise<Submission>,
): Promise<RunOutcome> {
  const inbox = createInbox(queue, options.signal);
  try {
    const submission = await submit();
    if (!submission.accepted) return { status: "refused", refusal: submission };
    options.onAccepted?.(submission);
    const outcome = await waitForEnd(queue, submission, inbox, options);
    return outcome ?? (await stop(queue, submission.promptId, inbox));
  } finally {
    inbox.close();
  }
}

/** Undefined once the signal asks to stop. */
async function waitForEnd(
  queue: PromptQueue,
  { accepted: _, ...submission }: Accepted,
  inbox: Inbox,
  { signal, onStage, lookEvery = 4, atMost = 3600 }: FollowOptions,
): Promise<RunOutcome | undefined> {
  const { promptId } = submission;
  const deadline = now() + atMost;
  let lastContact = now();
  let isAway = false;
  let failure: RunError | undefined;
  let isQuiet = true;

  const finished = (record: RunRecord): RunOutcome => ({
    status: "finished",
    ...submission,
    record: withError(record, failure),
  });

  const ask = async <Value>(question: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      const answer = await question();
      lastContact = now();
      return answer;
    } catch {
      isAway = true;
      onStage({ at: "unreachable" });
      return undefined;
    }
  };

  for (;;) {
    let isStirred = false;
    let isSettled = false;
    for (const event of inbox.take()) {
      if (event.type === "stirred") isStirred = true;
      else if (event.promptId !== promptId) continue;
      else if (event.type === "started") onStage({ at: "started" });
      else if (event.type === "progress") onStage(nodeStage(event));
      else isSettled = true;
      if (event.type === "failed" && event.promptId === promptId) failure = event.error;
    }
    if (signal.aborted) return undefined;

    if (isSettled) {
      const record = await recordSoon(queue, promptId);
      if (record) return finished(record);
      if (failure) return finished({ status: "error", outputs: [] });
    } else if (isStirred || isQuiet) {
      const record = await ask(() => queue.record(promptId));
      if (record) return finished(record);
    }
    if (isQuiet && !signal.aborted) {
      const place = await ask(() => queue.place(promptId));
      if (place?.state === "pending") onStage({ at: "queued", ahead: place.ahead });
      if (place?.state === "running" && isAway) onStage({ at: "started" });
      if (place?.state === "absent") {
        const record = await recordSoon(queue, promptId);
        return record ? finished(record) : { status: "lost" };
      }
      if (place) isAway = false;
      else if (now() - lastContact >= patience) return { status: "unreachable", promptId };
    }
    if (signal.aborted) return undefined;
    if (now() >= deadline) return { status: "unfinished", promptId };
    isQuiet = !(await inbox.news(Math.min(lookEvery, deadline - now())));
  }
}

function nodeStage({ node, value, maximum }: Extract<RunEvent, { type: "progress" }>): RunStage {
  return { at: "node", node, fraction: maximum > 0 ? value / maximum : 0 };
}

async function stop(queue: PromptQueue, promptId: string, inbox: Inbox): Promise<RunOutcome> {
  await attempt(() => queue.cancel(promptId));
  const deadline = now() + stopLag;
  for (;;) {
    const record = await attempt(() => queue.record(promptId));
    if (record) return { status: "stopped", isOver: true, record };
    const place = await attempt(() => queue.place(promptId));
    if (place?.state === "absent") return { status: "stopped", isOver: true };
    if (now() >= deadline) return { status: "stopped", isOver: false };
    await inbox.pause(0.2);
  }
}

/** ComfyUI announces the end of a run shortly before it writes the record. */
async function recordSoon(queue: PromptQueue, promptId: string): Promise<RunRecord | undefined> {
  const deadline = now() + recordLag;
  for (let pause = 0.02; ; pause = Math.min(pause * 2, 0.5)) {
    const record = await attempt(() => queue.record(promptId));
    if (record || now() >= deadline) return record;
    await delay(pause);
  }
}

/** An error that came as an event alone, as that of an asynchronous node does. */
function withError(record: RunRecord, failure: RunError | undefined): RunRecord {
  return failure && record.status !== "success" && !record.error ? { ...record, error: failure } : record;
}

/** While ComfyUI cannot be reached there is nothing to know; the next look may succeed. */
async function attempt<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}

interface Inbox {
  take(): RunEvent[];
  /** Resolves to true at the next event or when the signal asks to stop, to false after `seconds` without. */
  news(seconds: number): Promise<boolean>;
  pause(seconds: number): Promise<void>;
  close(): void;
}

function createInbox(queue: PromptQueue, signal: AbortSignal): Inbox {
  let events: RunEvent[] = [];
  let wake: ((isNews: boolean) => void) | undefined;
  const unsubscribe = queue.subscribe((event) => {
    events.push(event);
    wake?.(true);
  });
  const onAbort = () => wake?.(true);
  signal.addEventListener("abort", onAbort);
  return {
    take() {
      const taken = events;
      events = [];
      return taken;
    },
    news(seconds) {
      if (events.length > 0 || signal.aborted) return Promise.resolve(true);
      return new Promise((resolve) => {
        const timer = setTimeout(() => wake?.(false), seconds * 1000);
        wake = (isNews) => {
          clearTimeout(timer);
          wake = undefined;
          resolve(isNews);
        };
      });
    },
    pause: delay,
    close() {
      unsubscribe();
      signal.removeEventListener("abort", onAbort);
    },
  };
}

function delay(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

function now(): number {
  return Date.now() / 1000;
}
