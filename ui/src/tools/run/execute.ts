/** The runs of a call: planned, asked about, queued one after the other, waited for. */

import { type Accepted, type Comfy, changedMeanwhile, type RunRequest } from "../../comfy/bridge";
import type { NodeId } from "../../graph/graph";
import { type PromptNodes, promptTitle } from "../../graph/prompt";
import type { ToolProgress } from "../../shared/toolCalls";
import { newsOf } from "../edit/staleness";
import type { RunInput } from "../executeWorkflow";
import { look } from "../read/sight";
import { declined, type ToolContext, ToolError, type ToolResult } from "../tool";
import { isEmpty } from "../values/arguments";
import { failedFiles } from "./failedFiles";
import { followRun, type RunStage, rejoinRun } from "./followRun";
import { trustedPackages } from "./newPackages";
import { type PlannedRun, planRuns, runNode } from "./planRuns";
import { askedOf, questionOf, runsOf } from "./question";
import { withRoom } from "./renderRoom";
import { type FailedNode, outputsWords, type RunData, type RunReport, reportOf } from "./runReport";
import { asShownBy, requestsOf, upToNode } from "./runRequest";
import { severalResult, singleResult, withNews } from "./runResult";
import { valuesWords } from "./valuesWords";

/** Of one run, in seconds. */
const usualTimeout = 3600;
const mostAsked = 3;

export async function execute(
  args: RunInput,
  comfy: Comfy,
  context: ToolContext,
  timesAsked = 1,
): Promise<ToolResult<RunData>> {
  const { until, follow } = args;
  refuseContradictions(args);
  if (context.outlived !== undefined) return goOn(context.outlived as NotedRuns, args, comfy, context);
  if (follow) {
    const outcome = await rejoinRun(
      comfy.queue,
      { promptId: follow, problems: [] },
      {
        signal: context.signal,
        onStage: (stage) => context.onProgress(progressOf({}, stage)),
        atMost: longestWait(args),
      },
    );
    return singleResult(reportOf(outcome, longestWait(args), failedNode(comfy)));
  }

  const trusted = await trustedPackages(context.ask);
  const prompt = await comfy.queue.prompt();
  const target = until ? runNode(comfy, prompt.nodes, until) : undefined;
  const nodes = target === undefined ? prompt.nodes : upToNode(comfy, prompt.nodes, target);
  const named = isEmpty(args.seeds ?? []) ? undefined : args.seeds;
  const seeds = named ?? randomSeeds(args.randomSeeds ?? 0);
  const plan = planRuns(comfy, nodes, { seeds, vary: args.vary ?? [] });

  const runsNow = runsOf(comfy, nodes, plan, trusted);
  const question = questionOf(comfy, runsNow, plan, named === undefined, context);
  const asked = askedOf(comfy, runsNow);
  if (!(await context.confirm(question)))
    return declined(plan.length === 1 ? "running the workflow." : `${plan.length} runs of the workflow.`);
  const isSame = (all: PromptNodes) =>
    (target === undefined || target in all) &&
    asked ===
      askedOf(comfy, runsOf(comfy, target === undefined ? all : upToNode(comfy, all, target), plan, trusted));
  /** A pack may change what is sent beyond what a prompt shows before: then the prompt has to be the same still. */
  const isAsAsked = async (sent: PromptNodes) => isSame(sent) || isSame((await comfy.queue.prompt()).nodes);
  const runs = { plan, asked, deadline: Date.now() / 1000 + longestWait(args, plan.length) };
  const now = await comfy.queue.prompt();
  if (isSame(now.nodes)) {
    const news = newsOf(comfy, look(comfy), context);
    const nodesNow = target === undefined ? now.nodes : upToNode(comfy, now.nodes, target);
    const requests = requestsOf(comfy, { ...now, nodes: nodesNow }, target, plan);
    const run = { requests, nodes: nodesNow, all: now.nodes, target, isAsAsked };
    const result = await runAll(runs, run, args, comfy, context);
    if (result) return withNews(result, news.tell());
  }
  // Where nodes, links or what is risky have changed meanwhile, the question comes anew.
  if (timesAsked < mostAsked) return execute(args, comfy, context, timesAsked + 1);
  throw new ToolError(
    "The workflow changes by itself each time that it is about to run, so what was allowed is not what would run.",
    "Run nothing now; tell the user, who can run it with ComfyUI's Run button.",
  );
}

function refuseContradictions({ follow, timeoutSeconds: _, ...others }: RunInput): void {
  const given = Object.entries(others).flatMap(([name, value]) =>
    value === undefined || isEmpty(value) ? [] : [name],
  );
  if (follow && given.length > 0)
    throw new ToolError(
      `follow waits for a run that was begun before and runs nothing, so ${given.join(", ")} would do nothing.`,
      "Leave follow out to run, or the others out to wait.",
    );
  if (given.includes("seeds") && given.includes("randomSeeds"))
    throw new ToolError(
      "seeds and randomSeeds exclude each other.",
      "Name seeds, or say how many random ones.",
    );
}

/** For all the runs of a call, in seconds. */
function longestWait({ timeoutSeconds }: RunInput, runs = 1): number {
  return timeoutSeconds ?? usualTimeout * runs;
}

/** What a page that is loaded anew in the middle of it has to know; JSON. */
interface Runs {
  plan: readonly PlannedRun[];
  /** What was asked about. */
  asked: string;
  /** In seconds since the epoch. */
  deadline: number;
}

interface NotedRuns extends Runs {
  reports: RunReport[];
  /** The run that is in the queue. */
  submission: Accepted;
}

interface Requests {
  requests: readonly (RunRequest | undefined)[];
  /** What runs, and what of the workflow could. */
  nodes: PromptNodes;
  all: PromptNodes;
  target: NodeId | undefined;
  isAsAsked?: (nodes: PromptNodes) => Promise<boolean>;
}

/** Undefined where the workflow was changed before the first run was queued. */
async function runAll(
  { reports: before = [], submission: queued, ...runs }: Runs & Partial<NotedRuns>,
  { requests, nodes, all, target, isAsAsked = async () => true }: Requests,
  args: RunInput,
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult<RunData> | undefined> {
  const { plan, deadline } = runs;
  const reports = [...before];
  const soFar = () => plan.length > 1 && reports.length > 0 && { soFar: severalResult(plan, reports) };
  let isChanged = false;
  await withRoom(context, async () => {
    for (let index = reports.length; index < plan.length; index++) {
      const prefix = plan.length === 1 ? "" : `Run ${index + 1} of ${plan.length}: `;
      const options = {
        signal: context.signal,
        onStage: (stage: RunStage) => context.onProgress({ ...progressOf(nodes, stage, prefix), ...soFar() }),
        onAccepted: (submission: Accepted) => context.outlive?.({ ...runs, reports, submission }),
        atMost: Math.max(0, deadline - Date.now() / 1000),
        turn: context.turn,
        isAsAsked,
      };
      const isQueued = queued !== undefined && index === before.length;
      if (!isQueued && requests.length === 0) return;
      const outcome = await (isQueued
        ? rejoinRun(comfy.queue, queued, options)
        : followRun(comfy.queue, options, requests[index]));
      isChanged = outcome.status === "refused" && outcome.refusal.code === changedMeanwhile;
      if (isChanged) return;
      const report = reportOf(outcome, longestWait(args, plan.length), failedNode(comfy));
      reports.push(target === undefined ? report : asShownBy(report, all, target));
      if (plan.length > 1 && report.status === "success")
        context.hasDone?.(
          `${prefix}${valuesWords(plan[index]?.values ?? {})}: ${outputsWords(report.outputs)}`,
        );
      if (report.status === "ended" || failedTwice(reports)) return;
    }
  });
  context.outlive?.(undefined);
  if (isChanged) return undefined;
  return plan.length === 1
    ? singleResult(reports[0] as RunReport, plan[0]?.values)
    : severalResult(plan, reports);
}

/** After the page was loaded anew: the run that is in the queue is waited for, and the others follow it. */
async function goOn(noted: NotedRuns, args: RunInput, comfy: Comfy, context: ToolContext) {
  const prompt = await comfy.queue.prompt().catch(() => undefined);
  const target = prompt && args.until ? runNode(comfy, prompt.nodes, args.until) : undefined;
  const nodes = prompt && (target === undefined ? prompt.nodes : upToNode(comfy, prompt.nodes, target));
  const trusted = await trustedPackages(context.ask);
  // Of another workflow than the one that was asked about nothing more is run.
  const rest =
    prompt && nodes && askedOf(comfy, runsOf(comfy, nodes, noted.plan, trusted)) === noted.asked
      ? {
          requests: requestsOf(comfy, { ...prompt, nodes }, target, noted.plan),
          nodes,
          all: prompt.nodes,
          target,
        }
      : { requests: [], nodes: {}, all: {}, target: undefined };
  return (await runAll(noted, rest, args, comfy, context)) ?? declined("running the workflow.");
}

function failedNode(comfy: Comfy): FailedNode {
  return {
    /** Nobody knows whose a type is that is not known. */
    isOfPackage({ type }) {
      const definition = type === undefined ? undefined : comfy.nodeDefinition(type);
      return definition === undefined || definition.origin !== undefined;
    },
    files: (error) => failedFiles(comfy, error),
  };
}

function failedTwice(reports: readonly RunReport[]): boolean {
  return reports.length > 1 && reports.slice(-2).every(({ status }) => status === "failed");
}

function progressOf(nodes: PromptNodes, stage: RunStage, prefix = ""): ToolProgress {
  switch (stage.at) {
    case "queued":
      return {
        text: `${prefix}${stage.ahead === 0 ? "Queued" : `Queued behind ${stage.ahead} other${stage.ahead === 1 ? "" : "s"}`}`,
      };
    case "started":
      return { text: `${prefix}Running` };
    case "unreachable":
      return { text: `${prefix}ComfyUI does not answer; this goes on when it is back` };
    case "node": {
      const percent = stage.fraction > 0 ? ` ${Math.round(stage.fraction * 100)} %` : "";
      return { text: `${prefix}${promptTitle(nodes, stage.node)}${percent}`, fraction: stage.fraction };
    }
    default:
      return stage satisfies never;
  }
}

/** Short enough to be read and typed. */
function randomSeeds(count: number): number[] {
  return Array.from({ length: count }, () => Math.floor(Math.random() * 2 ** 32));
}
