import type { ScopedRun } from "../api/contextReplies";

export interface RunNode {
  run: ScopedRun;
  children: RunNode[];
}

/** Runs below the run that began them, oldest first. A run whose parent is not among them stands at the top. */
export function runTree(runs: readonly ScopedRun[]): RunNode[] {
  const nodes = new Map(runs.map((run) => [run.id, { run, children: [] } as RunNode]));
  const top: RunNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.run.parentRunId == null ? undefined : nodes.get(node.run.parentRunId);
    (parent && parent !== node ? parent.children : top).push(node);
  }
  const byStart = (one: RunNode, other: RunNode) =>
    one.run.startedAt.getTime() - other.run.startedAt.getTime();
  for (const node of nodes.values()) node.children.sort(byStart);
  return top.sort(byStart);
}

/** "running · 3 steps · 4,120 tokens · 12 s". */
export function describeRun({ status, steps, tokens, startedAt, endedAt }: ScopedRun): string {
  const seconds = endedAt && Math.round((endedAt.getTime() - startedAt.getTime()) / 1000);
  return [
    status,
    steps != null && `${steps} ${steps === 1 ? "step" : "steps"}`,
    tokens != null && `${tokens.toLocaleString("en")} tokens`,
    seconds != null && `${seconds} s`,
  ]
    .filter(Boolean)
    .join(" · ");
}
