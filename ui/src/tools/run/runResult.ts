/** The results of the runs of one call, as a model gets them. */

import { fewEntries } from "../../shared/few";
import { sentences } from "../../shared/sentences";
import type { ToolResult } from "../tool";
import { axesOf } from "./axes";
import type { PlannedRun } from "./planRuns";
import { areTold, outputsWords, type ReportedRun, type RunData, type RunReport } from "./runReport";
import { only, runName, valuesWords } from "./valuesWords";

/** Runs that the summary names; the others are in the data. */
const mostListed = 8;

/** `values` are those that only this run had: the graph does not hold them. */
export function singleResult(report: RunReport, values: PlannedRun["values"] = {}): ToolResult<RunData> {
  const own = valuesWords(values);
  if (report.status !== "success") {
    const { error } = report.failure;
    return { ...report.failure, error: own ? `With ${own}: ${error}` : error };
  }
  const { seconds, outputs, leftOut = [], used = [] } = report;
  return {
    ok: true,
    summary: [
      `Ran the workflow${own && ` with ${own}`}${seconds === undefined ? "" : ` in ${seconds} s`}: ${outputsWords(outputs)}.`,
      ...(used.length > 0 ? [`It used ${used.join("; ")}.`] : []),
      ...(leftOut.length > 0 ? [`ComfyUI left out invalid nodes: ${leftOut.join("; ")}.`] : []),
    ].join(" "),
    told: ["status", "seconds", "used", "leftOut", ...(areTold(outputs) ? ["outputs"] : [])],
    data: { ...(own && { values }), ...report },
  };
}

/** With what the person had changed before it ran, of which the model has not heard yet. */
export function withNews(result: ToolResult<RunData>, changed: readonly string[]): ToolResult<RunData> {
  if (changed.length === 0) return result;
  if (result.ok) return { ...result, data: { ...result.data, changedByTheUser: [...changed] } };
  const news = `Before it ran, the user had changed: ${changed.join("; ")}.`;
  return { ...result, hint: sentences(result.hint, news) };
}

function runLine(run: ReportedRun, number: number): string {
  return `${runName(run.values, number)}: ${run.status === "success" ? outputsWords(run.outputs) : run.error}`;
}

/** A failure only where nothing succeeded: what is there stays readable when the rest is missing. */
export function severalResult(
  plan: readonly PlannedRun[],
  reports: readonly RunReport[],
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
  const { varied, same } = axesOf(plan);
  const names = varied.map(({ name }) => name);
  const lines = runs.map((run, index) => runLine({ ...run, values: only(names, run.values) }, index + 1));
  const unbegun = plan.length - reports.length;
  const common = valuesWords(Object.fromEntries(same.map(({ name, values }) => [name, values[0] ?? null])));
  const outside = new Set(
    reports.flatMap((report) => (report.status === "success" ? [] : (report.failure.outside ?? []))),
  );
  const areAllTold = runs.every(
    (run) => run.status !== "success" || (!run.leftOut && !run.used && areTold(run.outputs)),
  );
  return {
    ok: true,
    summary: [
      `${succeeded} of ${plan.length} runs succeeded${unbegun > 0 ? `, ${unbegun} were not begun` : ""}.`,
      ...(common ? [`All had ${common}.`] : []),
      fewEntries(lines, mostListed).join(" | "),
    ].join(" "),
    ...(areAllTold && { told: ["runs", "varied", "columns"] }),
    data: {
      runs,
      varied: names,
      ...(varied.length > 1 && { columns: varied.at(-1)?.values.length ?? 1 }),
      ...(areAllTold && lines.length > mostListed && { others: lines.slice(mostListed) }),
    },
    ...(outside.size > 0 && { outside: [...outside] }),
  };
}
