/** Runs that fail although no tool began them: those of the Run button and of other extensions in this page. */

import type { RunFailure } from "../bridge";
import { executionErrorSchema, readProblems, readRunError, readSubmission } from "./history";
import type { LiveApi, LiveApp } from "./page";
import { isMarked, refusalOf } from "./submit";

/**
 * ComfyUI announces a failed run, but no refused prompt, so the answers to the page's own `api.queuePrompt` are looked
 * at as they pass. `onOwn` hears of runs of ours. `isOurs` may wait for a submission of ours that is on its way.
 */
export function watchFailures(
  api: LiveApi,
  isOurs: (promptId: string) => Promise<boolean>,
  listener: (failure: RunFailure | undefined) => void,
  onOwn: () => void,
): void {
  const passOn = api.queuePrompt;
  api.queuePrompt = async function (this: LiveApi, number: number, ...rest: unknown[]): Promise<unknown> {
    if (isMarked(number)) return passOn.call(this, number, ...rest);
    // A run may fail before the answer to its submission is there, so what was before ends now.
    listener(undefined);
    try {
      const reply = await passOn.call(this, number, ...rest);
      const failure = failureIn(reply);
      if (failure) listener(failure);
      return reply;
    } catch (error) {
      const failure = failureIn(refusalOf(error));
      if (failure) listener(failure);
      throw error;
    }
  };
  api.addEventListener("execution_error", async (event) => {
    const detail = event instanceof CustomEvent ? event.detail : undefined;
    const promptId = executionErrorSchema.safeParse(detail).data?.prompt_id;
    if (promptId === undefined) return;
    if (await isOurs(promptId)) onOwn();
    else listener({ problems: [], error: readRunError(detail) });
  });
}

/** The failure that the page itself shows at the moment. */
export function shownFailure({ lastExecutionError, lastNodeErrors }: LiveApp): RunFailure | undefined {
  if (lastExecutionError) return { problems: [], error: readRunError(lastExecutionError) };
  const problems = readProblems(lastNodeErrors);
  return problems.length > 0 ? { problems } : undefined;
}

function failureIn(reply: unknown): RunFailure | undefined {
  const submission = readSubmission(reply);
  if (!submission || (submission.accepted && submission.problems.length === 0)) return undefined;
  return {
    problems: submission.problems,
    ...(!submission.accepted && { refusal: submission.message }),
  };
}
