/** The results of the runs of one call, as a model gets them. */

import { fewEntries } from "../../shared/few";
import { sentences } from "../../shared/sentences";
import type { ToolResult } from "../tool";
import type { PlannedRun } from "./planRuns";
import type { Axis } from "./question";
import { areTold, outputsWords, type ReportedRun, type RunData, type RunReport } from "./runReport";
import { valuesWords } from "./valuesWords";

/** Runs that the summary names; all are in the data. */
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

/** `seed=7: node 9 gave output/a.png`. */
export function runWords(run: ReportedRun): string {
  return `${valuesWords(run.values)}: ${run.status === "success" ? outputsWords(run.outputs) : run.error}`;
}

/** A failure only where nothing succeeded: what is there stays readable when the rest is missing. */
export function severalResult(
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
  const lines = runs.map(runWords);
  const outside = new Set(
    reports.flatMap((report) => (report.status === "success" ? [] : (report.failure.outside ?? []))),
  );
  return {
    ok: true,
    summary: `${succeeded} of ${plan.length} runs succeeded${reports.length < plan.length ? `, ${plan.length - reports.length} were not begun` : ""}. ${fewEntries(lines, mostListed).join(" | ")}`,
    data: { runs, ...(axes.length > 1 && { columns: axes.at(-1)?.values ?? 1 }) },
    ...(outside.size > 0 && { outside: [...outside] }),
  };
}
