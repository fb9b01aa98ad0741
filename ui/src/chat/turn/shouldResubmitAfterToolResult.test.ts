import type { UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { type ResubmissionRecord, shouldResubmitAfterToolResult } from "./shouldResubmitAfterToolResult";

type Part = UIMessage["parts"][number];

const step: Part = { type: "step-start" };
const text: Part = { type: "text", text: "done", state: "done" };
const pending = (id: string): Part => ({
  type: "tool-addNode",
  toolCallId: id,
  state: "input-available",
  input: {},
});
const settled = (id: string): Part => ({
  type: "tool-addNode",
  toolCallId: id,
  state: "output-available",
  input: {},
  output: { ok: true },
});
const failed = (id: string): Part => ({
  type: "tool-addNode",
  toolCallId: id,
  state: "output-error",
  input: {},
  errorText: "no",
});
const onServer = (id: string): Part => ({ ...settled(id), providerExecuted: true }) as Part;

const turn = (...parts: Part[]): UIMessage[] => [
  { id: "u1", role: "user", parts: [{ type: "text", text: "go" }] },
  { id: "a1", role: "assistant", parts },
];

const nothing: ResubmissionRecord = { stoppedCalls: new Set(), sentResults: new Map() };

describe("shouldResubmitAfterToolResult", () => {
  it.each<[string, Part[], boolean]>([
    ["all calls of the step have settled", [step, settled("1"), settled("2")], true],
    ["a call failed, since the model can repair it", [step, failed("1")], true],
    ["text follows the call", [step, settled("1"), text], true],
    ["a server tool ran in an earlier step", [step, onServer("1"), step, settled("2")], true],
    ["a call is still running", [step, settled("1"), pending("2")], false],
    ["only server tools ran", [step, onServer("1")], false],
    ["the answer is text", [step, text], false],
    ["the model has answered the results", [step, settled("1"), step, text], false],
  ])("decides when %s", (_, parts, expected) => {
    expect(shouldResubmitAfterToolResult(turn(...parts), nothing)).toBe(expected);
  });

  it("does not send the same results twice, even when the server forgets to open the next step", () => {
    const sentResults = new Map([["a1", 1]]);
    expect(shouldResubmitAfterToolResult(turn(step, settled("1"), text), { ...nothing, sentResults })).toBe(
      false,
    );
  });

  it("sends the results of the next step", () => {
    const sentResults = new Map([["a1", 1]]);
    const messages = turn(step, settled("1"), step, settled("2"));
    expect(shouldResubmitAfterToolResult(messages, { ...nothing, sentResults })).toBe(true);
  });

  it("does not continue a turn after the user stopped one of its tools", () => {
    const stoppedCalls = new Set(["2"]);
    const messages = turn(step, settled("1"), failed("2"));
    expect(shouldResubmitAfterToolResult(messages, { ...nothing, stoppedCalls })).toBe(false);
  });

  it("gives up on a turn that never ends", () => {
    const parts = Array.from({ length: 200 }, (_, index) => [step, settled(String(index))]).flat();
    expect(shouldResubmitAfterToolResult(turn(...parts), nothing)).toBe(false);
  });

  it("leaves a conversation that ends with the user alone", () => {
    expect(shouldResubmitAfterToolResult(turn().slice(0, 1), nothing)).toBe(false);
  });
});
