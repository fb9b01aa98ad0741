import { expect, it } from "vitest";
import type { DelegatedTask } from "../api/sentRequests";
import { describeTask, type TaskNode, taskTree } from "./taskTree";

const task = (id: string, parentTaskId: string | null, second: number): DelegatedTask => ({
  id,
  parentTaskId,
  task: id,
  status: "done",
  steps: 1,
  tokens: 4120,
  startedAt: new Date(second * 1000),
  endedAt: new Date((second + 12) * 1000),
  result: undefined,
});

const outline = (nodes: readonly TaskNode[]): unknown[] =>
  nodes.map(({ task: { id }, children }) => (children.length > 0 ? [id, outline(children)] : id));

it("puts each task below the one that gave it, in the order in which they began", () => {
  const tasks = [
    task("b", "a", 3),
    task("a", null, 1),
    task("c", "a", 2),
    task("d", "c", 4),
    task("e", null, 5),
  ];
  expect(outline(taskTree(tasks))).toEqual([["a", [["c", ["d"]], "b"]], "e"]);
});

it("shows a task whose parent is gone, or is itself, at the top", () => {
  expect(outline(taskTree([task("a", "gone", 1), task("b", "b", 2)]))).toEqual(["a", "b"]);
});

it("tells what a task took", () => {
  expect(describeTask(task("a", null, 0))).toBe("done · 1 step · 4,120 tokens · 12 s");
});
