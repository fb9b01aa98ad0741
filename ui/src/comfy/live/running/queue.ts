/** ComfyUI's queue over its HTTP routes and the websocket events that its page receives. */

import { z } from "zod";
import { type PromptNodes, rolledValues, upstreamPart } from "../../../graph/prompt";
import type { PromptQueue, QueuePlace, RunEvent, Submission, SubmitOptions } from "../../bridge";
import type { LiveApi, Page } from "../page";
import { closeErrorDialog } from "./errorDialog";
import { createFailureWatch } from "./failures";
import { executionErrorSchema, readRecord, readRunError } from "./history";
import { withNamedTypes } from "./namedTypes";
import { changedPrompt, makePrompt, readPrompt } from "./prompt";
import { submitLikeRunButton, submitPrompt, untilIdle } from "./submit";

const ofPrompt = z.looseObject({ prompt_id: z.string() });

const progressSchema = z.looseObject({
  prompt_id: z.string(),
  nodes: z.record(
    z.string(),
    z.looseObject({ state: z.string(), value: z.number().catch(0), max: z.number().catch(1) }),
  ),
});

/** Items are `[number, prompt_id, …]`. */
const queueSchema = z.looseObject({
  queue_running: z.array(z.array(z.unknown())),
  queue_pending: z.array(z.array(z.unknown())),
});

type RunAsTurn = <Result>(run: (goesOn: () => void) => Promise<Result>, turn?: string) => Promise<Result>;

export function createLiveQueue(page: Page, runAsTurn: RunAsTurn, open: () => string): PromptQueue {
  const own = new Set<string>();
  let lastSubmission: Promise<unknown> = Promise.resolve();

  /** A run may fail before the answer to its submission is there. */
  async function isOurs(promptId: string): Promise<boolean> {
    await lastSubmission;
    return own.has(promptId);
  }

  const failures = createFailureWatch(page.app, page.api, { isOurs, onOwn: closeErrorDialog, open });

  return {
    async prompt() {
      return readPrompt(await makePrompt(page));
    },

    submit(request, { turn, isAsAsked } = {}) {
      const submission = lastSubmission.then(() =>
        request && "prompt" in request
          ? submitPrompt(page.api, changedPrompt(page, request.prompt, request.changes))
          : untilIdle(page.app).then(() =>
              runAsTurn((goesOn) => submitAndLook(page, goesOn, request?.targets, isAsAsked), turn),
            ),
      );
      lastSubmission = submission.then(
        (answer) => answer.accepted && own.add(answer.promptId),
        () => undefined,
      );
      return submission.then((answer: Submission) => withNamedTypes(page.app, answer));
    },

    adopt: (promptId) => void own.add(promptId),

    watchFailures: failures.watch,

    shownFailure: failures.shown,

    subscribe(listener) {
      const subscriptions = Object.entries(readers).map(([type, read]): [string, (event: Event) => void] => [
        type,
        (event) => {
          for (const each of read(event instanceof CustomEvent ? event.detail : undefined)) listener(each);
        },
      ]);
      for (const [type, handler] of subscriptions) page.api.addEventListener(type, handler);
      return () => {
        for (const [type, handler] of subscriptions) page.api.removeEventListener(type, handler);
      };
    },

    async place(promptId): Promise<QueuePlace> {
      const { queue_running, queue_pending } = queueSchema.parse(await getJson(page.api, "/queue"));
      if (queue_running.some((item) => item[1] === promptId)) return { state: "running" };
      const own = queue_pending.find((item) => item[1] === promptId);
      if (!own) return { state: "absent" };
      const isAhead = (item: unknown[]) => Number(item[0]) < Number(own[0]);
      return { state: "pending", ahead: queue_running.length + queue_pending.filter(isAhead).length };
    },

    async record(promptId) {
      const history = await getJson(page.api, `/history/${encodeURIComponent(promptId)}`);
      const entries = z.record(z.string(), z.unknown()).parse(history);
      return entries[promptId] === undefined ? undefined : readRecord(entries[promptId]);
    },

    async cancel(promptId) {
      await postJson(page.api, "/queue", { delete: [promptId] });
      const { state } = await this.place(promptId);
      if (state === "running") await postJson(page.api, "/interrupt", { prompt_id: promptId });
    },

    freeMemory: () => postJson(page.api, "/free", { unload_models: true, free_memory: true }),
  };
}

/** Seeds and the like count on by themselves: what was used is told with what is there now. */
async function submitAndLook(
  page: Page,
  goesOn: () => void,
  targets?: readonly string[],
  isAsAsked: SubmitOptions["isAsAsked"] = async () => true,
): Promise<Submission> {
  let sent: PromptNodes | undefined;
  const submission = await submitLikeRunButton(page.app, page.api, {
    ...(targets && { targets }),
    goesOn,
    mayBeSent(prompt) {
      sent = readPrompt({ made: prompt }).nodes;
      return isAsAsked(sent);
    },
  });
  if (!submission.accepted || !sent) return submission;
  const { nodes } = readPrompt(await makePrompt(page));
  return { ...submission, rolled: rolledValues(targets ? upstreamPart(sent, targets) : sent, nodes) };
}

const readers: Record<string, (detail: unknown) => RunEvent[]> = {
  execution_start: (detail) => withPrompt(detail, (promptId) => ({ type: "started", promptId })),
  execution_success: (detail) => withPrompt(detail, (promptId) => ({ type: "settled", promptId })),
  execution_interrupted: (detail) => withPrompt(detail, (promptId) => ({ type: "settled", promptId })),
  execution_error: (detail) => {
    const promptId = executionErrorSchema.safeParse(detail).data?.prompt_id;
    return promptId === undefined ? [] : [{ type: "failed", promptId, error: readRunError(detail) }];
  },
  progress_state: (detail) => {
    const progress = progressSchema.safeParse(detail);
    if (!progress.success) return [];
    const { prompt_id: promptId, nodes } = progress.data;
    return Object.entries(nodes)
      .filter(([, { state }]) => state === "running")
      .map(([node, { value, max }]) => ({ type: "progress", promptId, node, value, maximum: max }));
  },
  status: () => [{ type: "stirred" }],
  /** Null when a prompt is done; the frontend drops which one. */
  executing: (detail) => (detail ? [] : [{ type: "stirred" }]),
  reconnected: () => [{ type: "stirred" }],
};

function withPrompt(detail: unknown, event: (promptId: string) => RunEvent): RunEvent[] {
  const parsed = ofPrompt.safeParse(detail);
  return parsed.success ? [event(parsed.data.prompt_id)] : [];
}

async function getJson(api: LiveApi, route: string): Promise<unknown> {
  const response = await api.fetchApi(route, { cache: "no-store" });
  if (!response.ok) throw new Error(`ComfyUI answered ${response.status} to ${route}.`);
  return response.json();
}

async function postJson(api: LiveApi, route: string, body: unknown): Promise<void> {
  const response = await api.fetchApi(route, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`ComfyUI answered ${response.status} to ${route}.`);
}
