import { expect, it } from "vitest";
import { executeWorkflow } from "../executeWorkflow";
import { runNewWorkflow } from "../runNewWorkflow";
import type { ToolFailure } from "../tool";

const freeMemory = async () => {};
const failed: ToolFailure = { ok: false, error: "Node 3 (KSampler) failed: OutOfMemoryError: out of memory" };

it.each([executeWorkflow, runNewWorkflow])("$name offers to free memory by the code alone", ({ render }) => {
  expect(render?.({ args: {}, result: { ...failed, code: "out-of-memory" }, freeMemory })).not.toBeNull();
  expect(render?.({ args: {}, result: failed, freeMemory })).toBeNull();
});
