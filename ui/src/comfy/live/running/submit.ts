import { changedMeanwhile, type Prompt, type Refusal, type Submission } from "../../bridge";
import { replaceMethod } from "../editing/replaceMethod";
import type { LiveApi, LiveApp } from "../page";
import { holdValues } from "../reading/heldValues";
import { readSubmission } from "./history";

/** Tells our call from those of the Run button: ComfyUI treats it as 0 and passes it through unchanged. */
const mark = -0;

/** Whether a call of `api.queuePrompt` is one of ours. */
export function isMarked(number: number): boolean {
  return Object.is(number, mark);
}

const patience = 60_000;

const refusal: Refusal = {
  accepted: false,
  code: changedMeanwhile,
  message: "The workflow was changed after it had been asked about.",
  problems: [],
};

/**
 * Queue the workflow, or only some of its output nodes, through `app.queuePrompt`, so that seeds, other extensions and sign-in behave as with Run.
 *
 * That function tells neither the prompt's id nor why it was refused, so `api.queuePrompt`, which it calls, is listened
 * to for this one call. A refusal is handed to the frontend as a reply with node errors, not as an exception: it marks
 * the nodes but opens no dialog on top of the page while a model repairs them. So that seeds do not count on for a run
 * that there was none of, as with Run, they are put back, and the page does not tell of a queued one.
 *
 * Packs wrap `app.queuePrompt`, some of them passing on less than they were given: which nodes to run is told again
 * where it got lost, and where nothing else was under way the first call is ours also without its mark.
 */
export function submitLikeRunButton(
  app: LiveApp,
  api: LiveApi,
  {
    targets,
    mayBeSent = async () => true,
    goesOn = () => {},
  }: {
    targets?: readonly string[];
    mayBeSent?: (prompt: unknown) => Promise<boolean>;
    /** Before the page hears what came of it: then it counts seeds on. */
    goesOn?: () => void;
  } = {},
): Promise<Submission> {
  return new Promise((resolve, reject) => {
    let submission: Submission | undefined;
    const original = api.queuePrompt;
    const isAlone = app.processingQueue !== true;
    let isHeard = false;
    let afterRefusal: (() => void)[] = [];

    const refusedQuietly = (node_errors: unknown) => {
      if (isAlone) afterRefusal = [holdValues(app), withoutQueuedWord(api)];
      return { node_errors };
    };

    const listen = async function (this: LiveApi, number: number, ...rest: unknown[]): Promise<unknown> {
      if (isHeard || !(isAlone ? number === 0 : isMarked(number)))
        return original.call(this, number, ...rest);
      isHeard = true;
      stopListening();
      const [prompt, options, ...others] = rest;
      if (!(await mayBeSent(prompt))) {
        goesOn();
        submission = refusal;
        return refusedQuietly({});
      }
      const asked: { partialExecutionTargets?: unknown } = Object(options);
      const complete = targets
        ? { ...asked, partialExecutionTargets: asked.partialExecutionTargets ?? targets }
        : options;
      try {
        const reply = await original.call(this, mark, prompt, complete, ...others);
        goesOn();
        submission = readSubmission(reply);
        if (!submission) reject(new Error("ComfyUI's answer to the prompt could not be read."));
        return reply;
      } catch (error) {
        goesOn();
        const response = refusalOf(error);
        submission = readSubmission(response);
        if (!submission) {
          reject(error);
          throw error;
        }
        return refusedQuietly(nodeErrorsOf(response));
      }
    };

    const giveUp = (error: unknown) => {
      stopListening();
      reject(error);
    };

    const stopListening = replaceMethod(api, "queuePrompt", listen);
    app
      .queuePrompt(mark, 1, targets)
      .then(() => untilDone(app, () => isHeard && submission !== undefined))
      .then(() => {
        for (const each of afterRefusal) each();
        if (submission) resolve(submission);
        else if (!isHeard)
          giveUp(new Error("ComfyUI did not queue the workflow; its page may ask for something first."));
      })
      .catch(giveUp);
  });
}

/** A newer page says "Job queued" of every reply, also of a refusal that it was handed as one. */
function withoutQueuedWord(api: LiveApi): () => void {
  const original = api.dispatchCustomEvent;
  if (!original) return () => {};
  return replaceMethod(
    api,
    "dispatchCustomEvent",
    function (this: LiveApi, type: string, ...rest: unknown[]) {
      return type === "promptQueued" ? true : original.call(this, type, ...rest);
    },
  );
}

/** Queue exactly this prompt, past the page's own queueing: no widget counts on. */
export async function submitPrompt(api: LiveApi, prompt: Prompt): Promise<Submission> {
  let reply: unknown;
  try {
    reply = await api.queuePrompt(mark, { output: prompt.nodes, workflow: prompt.workflow });
  } catch (error) {
    reply = refusalOf(error);
    if (!readSubmission(reply)) throw error;
  }
  const submission = readSubmission(reply);
  if (!submission) throw new Error("ComfyUI's answer to the prompt could not be read.");
  return submission;
}

/** While the Run button's own calls are being worked off, which others than ours may take long. */
export async function untilIdle(app: LiveApp): Promise<void> {
  const deadline = Date.now() + patience;
  while (app.processingQueue === true && Date.now() < deadline) await soon();
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 50));

/**
 * While the Run button's own calls are being worked off, ours waits behind them and `queuePrompt` returns at once. Seeds
 * count on right after the answer.
 */
async function untilDone(app: LiveApp, isDone: () => boolean): Promise<void> {
  const deadline = Date.now() + patience;
  while (!isDone() && app.processingQueue === true && Date.now() < deadline) await soon();
  await new Promise((resolve) => setTimeout(resolve));
}

/** ComfyUI's `PromptExecutionError` carries the server's answer. */
export function refusalOf(error: unknown): unknown {
  return error instanceof Error && "response" in error ? error.response : undefined;
}

function nodeErrorsOf(response: unknown): unknown {
  return response !== null && typeof response === "object" && "node_errors" in response
    ? response.node_errors
    : {};
}
