import { expect, it } from "vitest";
import { type ToolCallState, toolCallState } from "./toolCallState";

const call: Parameters<typeof toolCallState>[0] = {
  result: undefined,
  isError: false,
  active: true,
  asking: false,
  written: true,
};

it.each<[string, Partial<typeof call>, ToolCallState]>([
  ["is being written", { written: false }, { state: "writing" }],
  ["is running", {}, { state: "running" }],
  ["waits for the person", { asking: true }, { state: "waiting" }],
  ["was left behind by a reload", { active: false }, { state: "skipped", reason: "not run" }],
  [
    "succeeded",
    { result: { ok: true, summary: "Added 1.", data: {} } },
    { state: "succeeded", summary: "Added 1." },
  ],
  [
    "failed",
    { result: { ok: false, error: "No node 9.", hint: "Look." } },
    { state: "failed", error: "No node 9.", hint: "Look." },
  ],
  ["threw", { result: { error: "boom" }, isError: true }, { state: "failed", error: "boom" }],
  [
    "was ended by assistant-ui on Stop",
    { result: { error: "Tool execution was cancelled." }, isError: true },
    { state: "skipped", reason: "stopped" },
  ],
  ["threw something odd", { result: "boom", isError: true }, { state: "failed", error: "The tool failed." }],
  [
    "was stopped while it ran",
    { result: { ok: false, code: "stopped", error: "The user stopped the run." } },
    { state: "skipped", reason: "stopped" },
  ],
  [
    "was stopped",
    { result: { ok: false, code: "stopped", error: "Halted." } },
    { state: "skipped", reason: "stopped" },
  ],
  [
    "went over a limit, without what the model is told to do about it",
    {
      result: {
        ok: false,
        code: "too-many-calls",
        error: "Not run: at most 8 calls fit into one step. Make it again.",
      },
    },
    { state: "skipped", reason: "not run: too many calls in one step" },
  ],
  [
    "was not allowed",
    {
      result: {
        ok: false,
        code: "declined",
        error: "The user declined: Delete 12 nodes?",
        hint: "Ask what they want instead.",
      },
    },
    { state: "skipped", reason: "declined" },
  ],
  [
    "failed, where its words are those of a stop",
    { result: { ok: false, error: "Stopped by the user." } },
    { state: "failed", error: "Stopped by the user." },
  ],
  [
    "was refused before failures had codes",
    { result: { error: "Not run: at most 8 calls fit into one step. Make it again." }, isError: true },
    { state: "failed", error: "Not run: at most 8 calls fit into one step. Make it again." },
  ],
  [
    "ran out of memory, in its own words",
    { result: { ok: false, code: "out-of-memory", error: "Node 3 failed: Allocation on device." } },
    { state: "failed", error: "Node 3 failed: Allocation on device." },
  ],
  [
    "failed with a code of another version",
    { result: { ok: false, code: "later", error: "No." } },
    { state: "failed", error: "No." },
  ],
  ["has a result of another shape", { result: [1] }, { state: "succeeded", summary: "" }],
])("says that a call %s", (_, change, expected) => {
  expect(toolCallState({ ...call, ...change })).toEqual(expected);
});
