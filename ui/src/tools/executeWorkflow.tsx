import type { ReactNode } from "react";
import { z } from "zod";
import type { Comfy, NodeProblem, OutputFile, Refusal, RunError, RunRecord } from "../comfy/bridge";
import { cut } from "../graph/compact";
import { findNode, type Graph, type NodeId } from "../graph/graph";
import { followRun, type RunStage } from "./followRun";
import { defineTool, type ToolContext, type ToolProgress, type ToolResult } from "./tool";

export interface RunData {
  status: "success";
  seconds?: number;
  outputs: RunOutput[];
  /** Nodes that ComfyUI left out because they were not valid. */
  leftOut?: string[];
}

export interface RunOutput {
  node: NodeId;
  type: string;
  files?: (OutputFile & { url: string })[];
  text?: string;
}

const longestText = 2000;
const longestError = 1000;
const mostProblems = 12;

/** By ComfyUI's code, for refusals that name no inputs. */
const refusalHints: Record<string, string> = {
  prompt_no_outputs: "Add an output node such as SaveImage, connect it, and make sure that it is active.",
  invalid_prompt:
    "getWorkflowInfo marks nodes whose type is not installed: remove or replace them, or tell the user.",
};

export const executeWorkflow = defineTool({
  name: "executeWorkflow",
  description:
    "Run the whole workflow and wait for its end. Returns the output files and texts, or the errors with node, input and reason.",
  input: z.object({}),
  run: (_args, comfy, context) => execute(comfy, context),
  label: () => "Run the workflow",
  render: ({ result }) => (result?.ok ? <Outputs outputs={result.data.outputs} /> : null),
});

async function execute(comfy: Comfy, { signal, onProgress }: ToolContext): Promise<ToolResult<RunData>> {
  const graph = comfy.graph();
  const outcome = await followRun(comfy.queue, {
    signal,
    onStage: (stage) => onProgress(progressOf(graph, stage)),
  });
  switch (outcome.status) {
    case "refused":
      return refused(outcome.refusal);
    case "finished":
      return finished(comfy, outcome.record, outcome.problems);
    case "stopped":
      return {
        ok: false,
        error: outcome.isOver
          ? "The user stopped the run."
          : "The user stopped the run; ComfyUI ends it when the node at work lets go.",
      };
    case "lost":
      return {
        ok: false,
        error:
          "The run is gone from ComfyUI without a result: it was taken out of the queue, or ComfyUI restarted.",
        hint: "Ask the user before running again.",
      };
    case "unfinished":
      return {
        ok: false,
        error: `The run has not ended after ${Math.round(outcome.seconds / 60)} minutes; ComfyUI goes on with it.`,
        hint: "Tell the user, and do not run it again.",
      };
    default:
      return outcome satisfies never;
  }
}

function finished(comfy: Comfy, record: RunRecord, problems: NodeProblem[]): ToolResult<RunData> {
  if (record.status === "interrupted")
    return {
      ok: false,
      error: "The run was interrupted in ComfyUI.",
      hint: "Ask the user before running again.",
    };
  if (record.status === "error")
    return {
      ok: false,
      error: runtimeError(record.error),
      hint: "Change what this node gets, then run again; the nodes before it are cached.",
    };
  const outputs = record.outputs
    .filter(({ files, texts }) => files.length > 0 || texts.length > 0)
    .map(
      ({ node, type, files, texts }): RunOutput => ({
        node,
        type,
        ...(files.length > 0 && { files: files.map((file) => ({ ...file, url: comfy.viewUrl(file) })) }),
        ...(texts.length > 0 && { text: cut(texts.join("\n"), longestText) }),
      }),
    );
  const seconds = record.seconds === undefined ? undefined : Math.round(record.seconds * 100) / 100;
  const leftOut = problems.slice(0, mostProblems).map(problemLine);
  return {
    ok: true,
    summary: [
      `Ran the workflow${seconds === undefined ? "" : ` in ${seconds} s`}: ${outputs.length === 0 ? "no output" : outputs.map(outputWords).join("; ")}.`,
      ...(leftOut.length > 0 ? [`ComfyUI left out invalid nodes: ${leftOut.join("; ")}.`] : []),
    ].join(" "),
    data: {
      status: "success",
      ...(seconds !== undefined && { seconds }),
      outputs,
      ...(leftOut.length > 0 && { leftOut }),
    },
  };
}

function outputWords({ node, files = [], text }: RunOutput): string {
  const shown = files
    .slice(0, 4)
    .map(({ subfolder, filename }) => (subfolder ? `${subfolder}/${filename}` : filename));
  const more = files.length > shown.length ? ` and ${files.length - shown.length} more` : "";
  const words = [
    ...(shown.length > 0 ? [`${shown.join(", ")}${more}`] : []),
    ...(text === undefined ? [] : [`"${beginning(text)}"`]),
  ];
  return `node ${node} gave ${words.join(" and ")}`;
}

function beginning(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

function refused({ code, message, problems }: Refusal): ToolResult<RunData> {
  const lines = problems.slice(0, mostProblems).map(problemLine);
  const more = problems.length > lines.length ? `; and ${problems.length - lines.length} more` : "";
  const reason = lines.length > 0 ? `${lines.join("; ")}${more}` : message;
  const hint = lines.length > 0 ? "Repair these inputs, then run again." : refusalHints[code];
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

function progressOf(graph: Graph, stage: RunStage): ToolProgress {
  switch (stage.at) {
    case "queued":
      return {
        text:
          stage.ahead === 0 ? "Queued" : `Queued behind ${stage.ahead} other${stage.ahead === 1 ? "" : "s"}`,
      };
    case "started":
      return { text: "Running" };
    case "node":
      return { text: nodeTitle(graph, stage.node), fraction: stage.fraction };
    default:
      return stage satisfies never;
  }
}

/** Node 3 inside subgraph node 6 runs as `6:3`: the user sees 6, or 3 with the subgraph open. */
function nodeTitle(graph: Graph, runId: NodeId): string {
  const visible = runId.split(":").at(graph.scope.kind === "subgraph" ? -1 : 0) ?? runId;
  return findNode(graph, visible)?.title ?? `Node ${runId}`;
}

function Outputs({ outputs }: { outputs: readonly RunOutput[] }): ReactNode {
  if (outputs.length === 0) return null;
  return (
    <div className="cass-outputs">
      {outputs.map(({ node, files = [], text }) => (
        <div key={node} className="cass-output">
          {files.map((file) => (
            <OutputView key={file.url} file={file} />
          ))}
          {text !== undefined && <pre className="cass-output-text">{text}</pre>}
        </div>
      ))}
    </div>
  );
}

function OutputView({ file: { kind, filename, url } }: { file: OutputFile & { url: string } }): ReactNode {
  if (!isOwnAddress(url)) return null;
  switch (kind) {
    case "image":
      return (
        <a href={url} target="_blank" rel="noopener" title={filename}>
          <img className="cass-thumb" src={url} alt={filename} loading="lazy" />
        </a>
      );
    case "video":
      // biome-ignore lint/a11y/useMediaCaption: nothing that a workflow makes has captions
      return <video className="cass-thumb" src={url} title={filename} controls preload="metadata" />;
    case "audio":
      // biome-ignore lint/a11y/useMediaCaption: nothing that a workflow makes has captions
      return <audio className="cass-audio" src={url} title={filename} controls preload="metadata" />;
    case "other":
      return (
        <a className="cass-file" href={url} target="_blank" rel="noopener">
          {filename}
        </a>
      );
    default:
      return kind satisfies never;
  }
}

/** Results come back from storage: only addresses on this server are ever loaded. */
function isOwnAddress(url: string): boolean {
  return url.startsWith("/") && !url.startsWith("//");
}
