/** Runs that fail although no tool began them: those of the Run button and of other extensions in this page. */

import type { RunFailure } from "../../bridge";
import type { LiveApi, LiveApp } from "../page";
import { executionErrorSchema, readProblems, readRunError, readSubmission } from "./history";
import { withNamedTypes } from "./namedTypes";
import { isMarked, refusalOf } from "./submit";

interface Surroundings {
  /** May wait for a submission of ours that is on its way. */
  isOurs(promptId: string): Promise<boolean>;
  /** A run of ours has failed. */
  onOwn(): void;
  /** The key of the workflow on the canvas. */
  open(): string;
}

const mostOrigins = 200;

/**
 * ComfyUI announces a failed run, but no refused prompt, so the answers to the page's own `api.queuePrompt` are looked
 * at as they pass. A failure belongs to the workflow that was on the canvas when its run was queued.
 */
export function createFailureWatch(app: LiveApp, api: LiveApi, { isOurs, onOwn, open }: Surroundings) {
  /** By prompt, of those that were queued last. */
  const origins = new Map<string, string>();
  /** Of the marks in the page. Undefined as long as nothing was queued since it is watched. */
  let marked: string | undefined;
  /** By workflow, of the newest run: the newer page forgets it with the graph that it was of. */
  const heard = new Map<string, RunFailure>();

  function watch(onFailure: (workflow: string, failure: RunFailure | undefined) => void): void {
    const listener: typeof onFailure = (workflow, failure) => {
      if (failure) heard.set(workflow, failure);
      else heard.delete(workflow);
      onFailure(workflow, failure);
    };
    const passOn = api.queuePrompt;
    api.queuePrompt = async function (this: LiveApi, number: number, ...rest: unknown[]): Promise<unknown> {
      const workflow = open();
      const isOwn = isMarked(number);
      marked = workflow;
      // A run may fail before the answer to its submission is there, so what was before ends now.
      if (!isOwn) listener(workflow, undefined);
      try {
        const reply = await passOn.call(this, number, ...rest);
        const submission = readSubmission(reply);
        if (submission?.accepted) keep(submission.promptId, workflow);
        const failure = failureIn(app, reply);
        if (isOwn ? !failure : failure) listener(workflow, failure);
        return reply;
      } catch (error) {
        const failure = failureIn(app, refusalOf(error));
        if (failure && !isOwn) listener(workflow, failure);
        throw error;
      }
    };
    api.addEventListener("execution_error", async (event) => {
      const detail = event instanceof CustomEvent ? event.detail : undefined;
      const promptId = executionErrorSchema.safeParse(detail).data?.prompt_id;
      if (promptId === undefined) return;
      const workflow = origins.get(promptId) ?? marked ?? open();
      marked = workflow;
      if (await isOurs(promptId)) onOwn();
      else listener(workflow, { problems: [], error: readRunError(detail) });
    });
  }

  function keep(promptId: string, workflow: string): void {
    origins.set(promptId, workflow);
    const [oldest] = origins.keys();
    if (oldest !== undefined && origins.size > mostOrigins) origins.delete(oldest);
  }

  /** The failure of the workflow on the canvas that the page itself shows, or showed. */
  function shown(): RunFailure | undefined {
    const isOfOpen = marked === undefined || marked === open();
    return (isOfOpen ? shownFailure(app) : undefined) ?? heard.get(open());
  }

  return { watch, shown };
}

/** Of whichever workflow. */
export function shownFailure({ lastExecutionError, lastNodeErrors }: LiveApp): RunFailure | undefined {
  if (lastExecutionError) return { problems: [], error: readRunError(lastExecutionError) };
  const problems = readProblems(lastNodeErrors);
  return problems.length > 0 ? { problems } : undefined;
}

function failureIn(app: LiveApp, reply: unknown): RunFailure | undefined {
  const submission = readSubmission(reply);
  if (!submission || (submission.accepted && submission.problems.length === 0)) return undefined;
  return withNamedTypes(app, {
    problems: submission.problems,
    ...(!submission.accepted && { refusal: submission.message }),
  });
}
