import type { NodeId, Place } from "../graph/graph";
import { seenAt } from "../graph/nodePath";
import type { RunFailure } from "./bridge";

/** One line: "KSampler (node 3) failed: ValueError: shapes differ". */
export function failureWords({ error, problems, refusal }: RunFailure): string {
  if (error) {
    const place = error.node === undefined ? "The run" : `${error.type ?? "A node"} (node ${error.node})`;
    const exception = error.exception === undefined ? "" : `${error.exception.split(".").at(-1)}: `;
    return `${place} failed: ${exception}${firstLine(error.message)}`;
  }
  const [first, ...others] = problems;
  if (!first) return `ComfyUI refused the workflow: ${refusal ?? "no reason given"}`;
  const input = first.input === undefined ? "" : `, ${first.input}`;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return `${first.type} (node ${first.node}${input}): ${firstLine(first.message)}${more}`;
}

/** By run id, each once: the nodes that ComfyUI complains about. */
export function failedNodes({ error, problems }: RunFailure): NodeId[] {
  return [
    ...new Set([...(error?.node === undefined ? [] : [error.node]), ...problems.map(({ node }) => node)]),
  ];
}

/** The same by their ids in the graph at `open`, of a subgraph's inner nodes the one that shows it there. */
export function failedIn(failure: RunFailure, open: Place): NodeId[] {
  return failedNodes(failure).flatMap((runId) => seenAt(runId.split(":"), open) ?? []);
}

/** What of it is about this node of a graph, by its id there; undefined when nothing is. */
export function failureOfNode(failure: RunFailure, node: NodeId): RunFailure | undefined {
  const isIt = (runId: NodeId | undefined) => runId?.split(":").includes(node) ?? false;
  const problems = failure.problems.filter((problem) => isIt(problem.node));
  if (failure.error && isIt(failure.error.node)) return { error: failure.error, problems };
  return problems.length > 0 ? { problems } : undefined;
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
