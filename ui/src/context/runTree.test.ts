import { expect, it } from "vitest";
import type { ScopedRun } from "../api/contextReplies";
import { describeRun, type RunNode, runTree } from "./runTree";

const run = (id: string, parentRunId: string | null, second: number): ScopedRun => ({
  id,
  parentRunId,
  task: id,
  status: "done",
  steps: 1,
  tokens: 4120,
  startedAt: new Date(second * 1000),
  endedAt: new Date((second + 12) * 1000),
  result: undefined,
});

const outline = (nodes: readonly RunNode[]): unknown[] =>
  nodes.map(({ run: { id }, children }) => (children.length > 0 ? [id, outline(children)] : id));

it("puts each run below the one that began it, in the order in which they began", () => {
  const runs = [run("b", "a", 3), run("a", null, 1), run("c", "a", 2), run("d", "c", 4), run("e", null, 5)];
  expect(outline(runTree(runs))).toEqual([["a", [["c", ["d"]], "b"]], "e"]);
});

it("shows a run whose parent is gone, or is itself, at the top", () => {
  expect(outline(runTree([run("a", "gone", 1), run("b", "b", 2)]))).toEqual(["a", "b"]);
});

it("tells what a run took", () => {
  expect(describeRun(run("a", null, 0))).toBe("done · 1 step · 4,120 tokens · 12 s");
});
