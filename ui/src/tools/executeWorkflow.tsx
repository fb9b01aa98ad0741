import { z } from "zod";
import { type Accepted, type Comfy, changedMeanwhile, type Prompt, type RunRequest } from "../comfy/bridge";
import type { NodeId } from "../graph/graph";
import { type PromptNodes, promptTitle, upstreamPart, withChanges, withPreview } from "../graph/prompt";
import { FreeMemory } from "../shared/FreeMemory";
import type { ToolProgress } from "../shared/toolCalls";
import { laterPart } from "./laterPart";
import type * as Bound from "./run/bound";
import { followRun, type RunStage, rejoinRun } from "./run/followRun";
import { influencedNodes } from "./run/influencedNodes";
import { isOutOfMemory } from "./run/outOfMemory";
import { mostRuns, type PlannedRun, planRuns, runNode } from "./run/planRuns";
import { RunOutputs } from "./run/RunOutputs";
import { withRoom } from "./run/renderRoom";
import type * as RiskyNodes from "./run/riskyNodes";
import {
  beginning,
  outputsWords,
  type ReportedRun,
  type RunData,
  type RunReport,
  reportOf,
  valuesWords,
} from "./run/runReport";
import { variationsArgument } from "./run/variationsArgument";
import { declined, defineTool, type ToolContext, ToolError, type ToolResult } from "./tool";
import { integerArgument, integersArgument, isEmpty, textArgument } from "./values/arguments";

const usualTimeout = 3600;
const mostUnasked = 4;
const mostAsked = 3;
/** Runs that the summary names; all are in the data. */
const mostListed = 8;

const input = z.object({
  until: textArgument("Node to run up to; its result is shown.").optional(),
  seeds: integersArgument().optional(),
  randomSeeds: integerArgument("Or: how many random seeds.", { min: 1, max: mostRuns }).optional(),
  vary: variationsArgument("One run per value of a widget.").optional(),
  timeoutSeconds: integerArgument("Longest wait; the run itself goes on.", {
    min: 1,
    max: 86_400,
  }).optional(),
  follow: textArgument("Id of a run that went on: wait for it, run nothing.").optional(),
});

type Input = z.infer<typeof input>;

export const executeWorkflow = defineTool<Input, RunData>({
  name: "executeWorkflow",
  description:
    "Run the workflow and wait for its end. Returns output files and texts, or errors with node, input and reason. Seeds and varied values are tried in all combinations, at most 24 runs; the graph keeps its own values.",
  input,
  effect: "runs",
  needsReading: ({ until, vary }) => until !== undefined || vary !== undefined,
  run: execute,
  label: ({ until, follow }) =>
    follow ? "Wait for the run" : until ? `Run up to node ${until}` : "Run the workflow",
  outside: (_, data) =>
    ("runs" in data ? data.runs : [data]).some(
      (run) => "outputs" in run && run.outputs.some(({ text }) => text),
    )
      ? "texts that the run put out"
      : undefined,
  render: ({ result, freeMemory }) => {
    if (result?.ok)
      return <RunOutputs {...("runs" in result.data ? result.data : { runs: [result.data] })} />;
    return result && freeMemory && isOutOfMemory(result.error) ? <FreeMemory free={freeMemory} /> : null;
  },
});

async function execute(
  args: Input,
  comfy: Comfy,
  context: ToolContext,
  timesAsked = 1,
): Promise<ToolResult<RunData>> {
  const { timeoutSeconds = usualTimeout, until, follow } = args;
  refuseContradictions(args);
  if (context.outlived !== undefined) return goOn(context.outlived as NotedRuns, args, comfy, context);
  if (follow) {
    const outcome = await rejoinRun(
      comfy.queue,
      { promptId: follow, problems: [] },
      {
        signal: context.signal,
        onStage: (stage) => context.onProgress(progressOf({}, stage)),
        atMost: timeoutSeconds,
      },
    );
    return singleResult(reportOf(outcome, timeoutSeconds));
  }

  const risks = await laterRisks();
  const prompt = await comfy.queue.prompt();
  const target = until ? runNode(comfy, prompt.nodes, until) : undefined;
  const nodes = target === undefined ? prompt.nodes : upToNode(comfy, prompt.nodes, target);
  const named = isEmpty(args.seeds ?? []) ? undefined : args.seeds;
  const seeds = named ?? randomSeeds(args.randomSeeds ?? 0);
  const plan = planRuns(comfy, nodes, { seeds, vary: args.vary ?? [] });
  const requests = plan.map((run) => requestOf(comfy, { ...prompt, nodes }, target, run, risks));

  const axes = axesOf(args, seeds);
  const question = questionOf(comfy, nodes, axes, plan, context, risks);
  if (!(await context.confirm(question)))
    return declined(plan.length === 1 ? "running the workflow." : `${plan.length} runs of the workflow.`);
  const asked = askedOf(comfy, nodes, plan, risks);
  const isSame = (all: PromptNodes) =>
    (target === undefined || target in all) &&
    asked === askedOf(comfy, target === undefined ? all : upToNode(comfy, all, target), plan, risks);
  /** A pack may change what is sent beyond what a prompt shows before: then the prompt has to be the same still. */
  const isAsAsked = async (sent: PromptNodes) => isSame(sent) || isSame((await comfy.queue.prompt()).nodes);
  const runs = { plan, axes, asked, deadline: Date.now() / 1000 + timeoutSeconds };
  const run = { requests, nodes, all: prompt.nodes, target, isAsAsked };
  const result = isSame((await comfy.queue.prompt()).nodes)
    ? await runAll(runs, run, args, comfy, context)
    : undefined;
  if (result) return result;
  // Where nodes, links or what is risky have changed meanwhile, the question comes anew.
  if (timesAsked < mostAsked) return execute(args, comfy, context, timesAsked + 1);
  throw new ToolError(
    "The workflow changes by itself each time that it is about to run, so what was allowed is not what would run.",
    "Run nothing now; tell the user, who can run it with ComfyUI's Run button.",
  );
}

const laterRisks = async (): Promise<Risks> => ({
  ...(await laterPart(import("./run/riskyNodes"))),
  ...(await laterPart(import("./run/bound"))),
});
type Risks = typeof RiskyNodes & typeof Bound;

/** Of all runs, as a person is asked about them. */
function askedOf(
  comfy: Comfy,
  nodes: PromptNodes,
  plan: readonly PlannedRun[],
  { identityOf }: Risks,
): string {
  return identityOf(
    comfy,
    plan.map(({ changes }) => withChanges(nodes, changes)),
  );
}

function refuseContradictions({ follow, timeoutSeconds: _, ...others }: Input): void {
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

/** What a page that is loaded anew in the middle of it has to know; JSON. */
interface Runs {
  plan: readonly PlannedRun[];
  axes: readonly Axis[];
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
  { timeoutSeconds = usualTimeout }: Input,
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult<RunData> | undefined> {
  const { plan, axes, deadline } = runs;
  const reports = [...before];
  let isChanged = false;
  await withRoom(context, async () => {
    for (let index = reports.length; index < plan.length; index++) {
      const prefix = plan.length === 1 ? "" : `Run ${index + 1} of ${plan.length}: `;
      const options = {
        signal: context.signal,
        onStage: (stage: RunStage) => context.onProgress(progressOf(nodes, stage, prefix)),
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
      const report = reportOf(outcome, timeoutSeconds);
      reports.push(target === undefined ? report : asShownBy(report, all, target));
      if (report.status === "ended" || failedTwice(reports)) return;
    }
  });
  context.outlive?.(undefined);
  if (isChanged) return undefined;
  return plan.length === 1 ? singleResult(reports[0] as RunReport) : severalResult(plan, reports, axes);
}

/** After the page was loaded anew: the run that is in the queue is waited for, and the others follow it. */
async function goOn(noted: NotedRuns, args: Input, comfy: Comfy, context: ToolContext) {
  const prompt = await comfy.queue.prompt().catch(() => undefined);
  const target = prompt && args.until ? runNode(comfy, prompt.nodes, args.until) : undefined;
  const nodes = prompt && (target === undefined ? prompt.nodes : upToNode(comfy, prompt.nodes, target));
  const risks = await laterRisks();
  // Of another workflow than the one that was asked about nothing more is run.
  const rest =
    prompt && nodes && askedOf(comfy, nodes, noted.plan, risks) === noted.asked
      ? {
          requests: noted.plan.map((run) => requestOf(comfy, { ...prompt, nodes }, target, run, risks)),
          nodes,
          all: prompt.nodes,
          target,
        }
      : { requests: [], nodes: {}, all: {}, target: undefined };
  return (await runAll(noted, rest, args, comfy, context)) ?? declined("running the workflow.");
}

function same({ thread = "" }: ToolContext, risks: string | undefined): string | undefined {
  return risks === undefined ? undefined : `${thread} ${risks}`;
}

/** What leads to the node; a node that shows nothing itself gets a preview, for this run alone. */
function upToNode(comfy: Comfy, nodes: PromptNodes, target: NodeId): PromptNodes {
  const part = upstreamPart(nodes, [target]);
  const definition = comfy.nodeDefinition(nodes[target]?.class_type ?? "");
  if (definition?.isOutput) return part;
  const [output] = definition?.outputs ?? [];
  if (!output)
    throw new ToolError(`Node ${target} has no output, so there is nothing to run it for.`, "Name another.");
  return withPreview(part, target, output.type);
}

/** The preview that a run up to a node adds is no node that the model could name. */
function asShownBy(report: RunReport, nodes: PromptNodes, target: NodeId): RunReport {
  if (report.status !== "success") return report;
  const type = nodes[target]?.class_type ?? "?";
  const outputs = report.outputs.map((output) =>
    output.node in nodes ? output : { ...output, node: target, type },
  );
  return { ...report, outputs };
}

/** Undefined: exactly as the Run button. */
function requestOf(
  comfy: Comfy,
  prompt: Prompt,
  target: NodeId | undefined,
  { changes }: PlannedRun,
  { needsAccount }: typeof RiskyNodes,
): RunRequest | undefined {
  const isOutput =
    target !== undefined && comfy.nodeDefinition(prompt.nodes[target]?.class_type ?? "")?.isOutput;
  if (changes.length === 0 && target === undefined) return undefined;
  if (changes.length === 0 && target !== undefined && isOutput) return { targets: [target] };
  const [paid] =
    Object.entries(prompt.nodes).find(([, { class_type: type }]) =>
      needsAccount(comfy.nodeDefinition(type)),
    ) ?? [];
  if (paid !== undefined)
    throw new ToolError(
      `Node ${paid} (${promptTitle(prompt.nodes, paid)}) needs the user's ComfyUI account, which is passed along only with a run of the graph as it is.`,
      "Set the values in the graph, then run without seeds and vary.",
    );
  if (prompt.packFailure !== undefined)
    throw new ToolError(
      `${prompt.packFailure} A run up to a node or with other values would lack them.`,
      "Run the whole workflow, or connect by wires what that package hands on.",
    );
  return { prompt, changes };
}

/** What the runs differ in, in the order in which they are combined. */
interface Axis {
  values: number;
  words: string;
}

function axesOf({ vary = [], seeds: named }: Input, seeds: readonly number[]): Axis[] {
  const list = (values: readonly unknown[]) => values.map((value) => beginning(String(value), 30)).join(", ");
  return [
    ...vary.map(({ node, widget, values }) => ({
      values: values.length,
      words: `${node}.${widget} ${list(values)}`,
    })),
    ...(seeds.length > 0
      ? [
          {
            values: seeds.length,
            words: named && !isEmpty(named) ? `seed ${list(seeds)}` : `${seeds.length} random seeds`,
          },
        ]
      : []),
  ];
}

function questionOf(
  comfy: Comfy,
  nodes: PromptNodes,
  axes: readonly Axis[],
  plan: readonly PlannedRun[],
  context: ToolContext,
  { riskyNodes, riskWords, sameRisks }: Risks,
) {
  const count = plan.length;
  const prompts = plan.map(({ changes }) => withChanges(nodes, changes));
  const risky = [...riskyNodes(comfy, ...prompts), ...influencedNodes(comfy, nodes, plan, context)];
  const sizes = axes.length > 1 ? `${axes.map(({ values }) => values).join(" × ")} runs: ` : "";
  const detail = [
    ...(axes.length > 0 ? [`${sizes}${axes.map(({ words }) => words).join(" × ")}.`] : []),
    ...risky.map(riskWords),
  ].join(" ");
  return {
    title: count === 1 ? "Run the workflow?" : `Run the workflow ${count} times?`,
    ...(detail && { detail }),
    ...((risky.length > 0 || count > mostUnasked) && { always: true }),
    ...(risky.length > 0 &&
      count <= mostUnasked && { same: same(context, sameRisks(comfy, prompts, risky)) }),
  };
}

function singleResult(report: RunReport): ToolResult<RunData> {
  if (report.status !== "success") return report.failure;
  const { seconds, outputs, leftOut = [], used = [] } = report;
  return {
    ok: true,
    summary: [
      `Ran the workflow${seconds === undefined ? "" : ` in ${seconds} s`}: ${outputsWords(outputs)}.`,
      ...(used.length > 0 ? [`It used ${used.join("; ")}.`] : []),
      ...(leftOut.length > 0 ? [`ComfyUI left out invalid nodes: ${leftOut.join("; ")}.`] : []),
    ].join(" "),
    data: report,
  };
}

/** A failure only where nothing succeeded: what is there stays readable when the rest is missing. */
function severalResult(
  plan: readonly PlannedRun[],
  reports: readonly RunReport[],
  axes: readonly Axis[],
): ToolResult<RunData> {
  const succeeded = reports.filter(({ status }) => status === "success").length;
  const last = reports.at(-1);
  if (succeeded === 0 && last && last.status !== "success") {
    const done = reports.length > 1 ? ` (${reports.length} runs failed, the last with this.)` : "";
    return { ...last.failure, error: `${last.failure.error}${done}` };
  }
  const runs = reports.map((report, index): ReportedRun => {
    const { values } = plan[index] as PlannedRun;
    return report.status === "success"
      ? { values, ...report }
      : { values, status: report.status, error: [report.failure.error, report.failure.hint].join(" ") };
  });
  const lines = runs.map(
    (run) =>
      `${valuesWords(run.values)}: ${run.status === "success" ? outputsWords(run.outputs) : run.error}`,
  );
  const more = lines.length > mostListed ? ` | and ${lines.length - mostListed} more` : "";
  return {
    ok: true,
    summary: `${succeeded} of ${plan.length} runs succeeded${reports.length < plan.length ? `, ${plan.length - reports.length} were not begun` : ""}. ${lines.slice(0, mostListed).join(" | ")}${more}`,
    data: { runs, ...(axes.length > 1 && { columns: axes.at(-1)?.values ?? 1 }) },
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
