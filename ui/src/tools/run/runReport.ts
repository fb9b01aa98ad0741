/** What became of a run, in the words and data that a model gets. */

import type { NodeProblem, OutputFile, Refusal, RunError } from "../../comfy/bridge";
import type { Json, NodeId } from "../../graph/graph";
import type { RolledValue } from "../../graph/prompt";
import { cut } from "../../shared/cut";
import { few, fewEntries } from "../../shared/few";
import type { GraphChangesTold, NamedChanges } from "../../shared/graphChanges";
import type { ToolFailure } from "../tool";
import { failureHint } from "./failureHint";
import type { RunOutcome } from "./followRun";
import { isOutOfMemory } from "./outOfMemory";
import { beginning } from "./valuesWords";

export interface RunOutput {
  node: NodeId;
  type: string;
  files?: ShownFile[];
  text?: string;
  /** From an earlier run: it did not run now. */
  isCached?: true;
}

export interface ShownFile {
  kind: OutputFile["kind"];
  /** With its folders, as tools take it: `output/cats/a.png`. */
  filename: string;
  /** In older chats. */
  url?: string;
}

export interface RunSuccess {
  status: "success";
  seconds?: number;
  outputs: RunOutput[];
  /** Nodes that ComfyUI left out because they were not valid. */
  leftOut?: string[];
  /** Seeds that it used and the graph holds no more: `2.seed=5, now 1014`. */
  used?: string[];
}

/** `changedByTheUser` is what the person had changed before it ran, and the model has not heard of. */
export type RunData = (RunSuccess | RunsData) & {
  values?: Record<string, Json>;
  changedByTheUser?: string[];
  /** Of a call that built what it ran. */
  changes?: GraphChangesTold;
};

/** Several runs of one call, in the order in which they ran. */
export interface RunsData {
  runs: ReportedRun[];
  /** Which of their values set them apart; all do in older chats. */
  varied?: string[];
  /** Of a table with a column for each value of what varies last, where more than one thing varies. */
  columns?: number;
  /** Runs for which the summary has no room, a line each. */
  others?: string[];
}

/** `values` set the run apart: `{"seed": 5, "3.steps": 20}`. */
export type ReportedRun = { values: Record<string, Json> } & (
  | RunSuccess
  | { status: "failed" | "ended"; error: string }
);

export type RunReport =
  | RunSuccess
  | { status: "failed"; failure: ToolFailure }
  /** No further run makes sense. `goesOn` is the id of one that ComfyUI still works on. */
  | { status: "ended"; failure: ToolFailure; goesOn?: string };

const saidFailing = "what a node said as it failed";
const longestText = 2000;
const longestError = 1000;
const mostProblems = 12;
/** In the words for one output. */
const mostFiles = 4;
const longestWords = 80;

/** By ComfyUI's code, where it is not about inputs. */
const refusalHints: Record<string, string> = {
  missing_node_type:
    "findMissing tells which package brings this type and can install it; or remove or replace the node.",
  prompt_no_outputs: "Add an output node such as SaveImage, connect it, and make sure that it is active.",
  invalid_prompt:
    "getWorkflowInfo marks nodes whose type is not installed: remove or replace them, or tell the user.",
};

/** What is known of the node that failed. */
export interface FailedNode {
  /** Whether a package brings the type, whose words are others' then. */
  isOfPackage(error: RunError): boolean;
  /** The files that it was to load. */
  files(error: RunError): string[];
}

export function reportOf(outcome: RunOutcome, waited: number, failed: FailedNode): RunReport {
  switch (outcome.status) {
    case "refused":
      return { status: "failed", failure: refused(outcome.refusal) };
    case "finished":
      return finished(outcome, failed);
    case "stopped":
      return {
        status: "ended",
        failure: {
          ok: false,
          code: "stopped",
          error: outcome.isOver
            ? "The user stopped the run."
            : "The user stopped the run; ComfyUI ends it when the node at work lets go.",
        },
      };
    case "lost":
      return ended(
        "The run is gone from ComfyUI without a result: it was taken out of the queue, or ComfyUI restarted.",
        "Ask the user before running again.",
      );
    case "unreachable":
      return ended(
        "ComfyUI has not answered for two minutes, so nobody knows how far the run has come.",
        `Do not run it again. Once ComfyUI is back, executeWorkflow with follow "${outcome.promptId}" tells what became of it.`,
      );
    case "unfinished":
      return {
        ...ended(
          `The run has not ended after ${duration(waited)}; ComfyUI goes on with it.`,
          `Do not run it again. To wait for its result, call executeWorkflow with follow "${outcome.promptId}".`,
        ),
        goesOn: outcome.promptId,
      };
    default:
      return outcome satisfies never;
  }
}

export function outputsWords(outputs: readonly RunOutput[]): string {
  return outputs.length === 0 ? "no output" : outputs.map(outputWords).join("; ");
}

function finished(
  { record, problems, rolled = [] }: Extract<RunOutcome, { status: "finished" }>,
  { isOfPackage, files }: FailedNode,
): RunReport {
  if (record.status === "interrupted")
    return ended("The run was interrupted in ComfyUI.", "Ask the user before running again.");
  if (record.status === "error") {
    const said = `${record.error?.exception} ${record.error?.message}`;
    return {
      status: "failed",
      failure: {
        ok: false,
        ...(isOutOfMemory(said) && { code: "out-of-memory" }),
        error: runtimeError(record.error),
        hint: failureHint(said, record.error && files(record.error)),
        ...(rolled.length > 0 && { changes: { added: {}, changed: drawnAnew(rolled), removed: {} } }),
        ...(record.error && isOfPackage(record.error) && { outside: [saidFailing] }),
      },
    };
  }
  const leftOut = fewEntries(
    problems.map(problemLine),
    mostProblems,
    "; validateWorkflow tells what is wrong",
  );
  return {
    status: "success",
    ...(record.seconds !== undefined && { seconds: Math.round(record.seconds * 100) / 100 }),
    outputs: record.outputs
      .filter(({ files, texts }) => files.length > 0 || texts.length > 0)
      .map(({ node, type, files, texts, isCached }) => ({
        node,
        type,
        ...(isCached && { isCached }),
        ...(files.length > 0 && { files: files.map(shownFile) }),
        ...(texts.length > 0 && { text: cut(texts.join("\n"), longestText) }),
      })),
    ...(leftOut.length > 0 && { leftOut }),
    ...(rolled.length > 0 && {
      used: rolled.map(({ node, input, used, now }) => `${node}.${input}=${used}, now ${now}`),
    }),
  };
}

/** By the node, as `seed=5→1014`. */
function drawnAnew(rolled: readonly RolledValue[]): NamedChanges {
  const ofNodes = Map.groupBy(rolled, ({ node }) => node);
  return Object.fromEntries(
    [...ofNodes].map(([node, all]) => [
      node,
      all.map(({ input, used, now }) => `${input}=${used}→${now}`).join(", "),
    ]),
  );
}

function shownFile({ kind, type, subfolder, filename }: OutputFile): ShownFile {
  return { kind, filename: [type, subfolder, filename].filter(Boolean).join("/") };
}

/** Whether these words tell all of the outputs. */
export function areTold(outputs: readonly RunOutput[]): boolean {
  return outputs.every(
    ({ files = [], text = "" }) => files.length <= mostFiles && text.length <= longestWords,
  );
}

function outputWords({ node, files = [], text, isCached }: RunOutput): string {
  const shown = files.map(({ filename }) => filename);
  const words = [
    ...(shown.length > 0 ? [few(shown, mostFiles)] : []),
    ...(text === undefined ? [] : [`"${beginning(text, longestWords)}"`]),
  ];
  const before = isCached ? " (of an earlier run: nothing before it had changed)" : "";
  return `node ${node} gave ${words.join(" and ")}${before}`;
}

function refused({ code, message, problems }: Refusal): ToolFailure {
  const lines = fewEntries(problems.map(problemLine), mostProblems);
  const reason = lines.length > 0 ? lines.join("; ") : message;
  const hint = refusalHints[code] ?? (lines.length > 0 ? "Repair these inputs, then run again." : undefined);
  return {
    ok: false,
    error: `ComfyUI refused to run the workflow: ${reason}.`,
    ...(hint !== undefined && { hint }),
  };
}

function problemLine({ node, type, input, message }: NodeProblem): string {
  return `node ${node} (${type})${input === undefined ? "" : `, input ${input}`}: ${cut(message, 300)}`;
}

function runtimeError(error: RunError | undefined): string {
  if (!error) return "The run failed, and ComfyUI does not say why.";
  const place = error.node === undefined ? "The run" : `Node ${error.node} (${error.type ?? "?"})`;
  const exception = error.exception === undefined ? "" : `${error.exception.split(".").at(-1)}: `;
  return `${place} failed: ${exception}${cut(error.message, longestError)}`;
}

function duration(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} seconds` : `${Math.round(seconds / 60)} minutes`;
}

function ended(error: string, hint?: string): { status: "ended"; failure: ToolFailure } {
  return { status: "ended", failure: { ok: false, error, ...(hint !== undefined && { hint }) } };
}
