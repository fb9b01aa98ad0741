import type { DelegatedTask } from "../api/sentRequests";
import { amountOf } from "../shared/amounts";

export interface TaskNode {
  task: DelegatedTask;
  children: TaskNode[];
}

/** Tasks below the one that gave them, oldest first. A task whose parent is not among them stands at the top. */
export function taskTree(tasks: readonly DelegatedTask[]): TaskNode[] {
  const nodes = new Map(tasks.map((task) => [task.id, { task, children: [] } as TaskNode]));
  const top: TaskNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.task.parentTaskId == null ? undefined : nodes.get(node.task.parentTaskId);
    (parent && parent !== node ? parent.children : top).push(node);
  }
  const byStart = (one: TaskNode, other: TaskNode) =>
    one.task.startedAt.getTime() - other.task.startedAt.getTime();
  for (const node of nodes.values()) node.children.sort(byStart);
  return top.sort(byStart);
}

/** "running · 3 steps · 4,120 tokens · 12 s". */
export function describeTask({ status, steps, tokens, startedAt, endedAt }: DelegatedTask): string {
  const seconds = endedAt && Math.round((endedAt.getTime() - startedAt.getTime()) / 1000);
  return [
    status,
    steps != null && amountOf(steps, "step"),
    tokens != null && `${tokens.toLocaleString("en")} tokens`,
    seconds != null && `${seconds} s`,
  ]
    .filter(Boolean)
    .join(" · ");
}
