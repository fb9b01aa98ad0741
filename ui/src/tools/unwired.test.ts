import { describe, expect, it } from "vitest";
import { closesLoop } from "../graph/loops";
import { addNode } from "./addNode";
import { applyWorkflow } from "./applyWorkflow";
import { editWorkflow } from "./editWorkflow";
import { executeWorkflow } from "./executeWorkflow";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { testCalls } from "./testing/testCall";
import { validateWorkflow } from "./validateWorkflow";

/** A checkpoint whose encoder a node hands to both prompts, without a wire to them. */
function broadcast() {
  const calls = testCalls(["CheckpointLoaderSimple", "Broadcast", "CLIPTextEncode"], ["1.CLIP>2.anything"]);
  calls.comfy.broadcast("2");
  return calls;
}

const textOf = async ({ call }: ReturnType<typeof testCalls>, args = {}) =>
  ((await call(getWorkflowInfo, args)) as unknown as { data: { text: string } }).data.text;

describe("links that no wire draws", () => {
  it("are read with the node that hands them on, in place of an open input", async () => {
    expect(await textOf(broadcast())).toContain("3 CLIPTextEncode clip<1(via 2)");
    expect(await textOf(broadcast(), { nodeIds: ["3"] })).toContain("in clip CLIP <1(via 2)");
  });

  it("are near what they feed", async () => {
    expect(await textOf(broadcast(), { view: "around", nodeIds: ["3"] })).toContain(
      "1 CheckpointLoaderSimple",
    );
  });

  it("are no links that could be counted, and no changes", async () => {
    const calls = broadcast();
    expect(await calls.call(getWorkflowInfo)).toMatchObject({ data: { links: 1 } });
    await calls.call(addNode, { type: "EmptyImage" });
    expect(await textOf(calls, { view: "changes" })).toBe("Nothing changed.");
  });

  it("leave nothing to connect", async () => {
    const calls = broadcast();
    const added = await calls.call(addNode, { type: "CLIPTextEncode" });
    expect(added).toMatchObject({
      summary: expect.stringContaining("4 is used by nothing: CONDITIONING"),
    });
    const result = await calls.call(editWorkflow, { operations: [{ op: "add", type: "CLIPTextEncode" }] });
    expect(JSON.stringify(result)).not.toContain("needs a source");
  });

  it("are checked and run up to a node", async () => {
    const calls = broadcast();
    const checked = await calls.call(validateWorkflow);
    expect(JSON.stringify(checked)).not.toContain("clip");
    expect(checked).toMatchObject({
      data: { leadToNoOutput: ["1 CheckpointLoaderSimple", "3 CLIPTextEncode"] },
    });
    expect(await calls.call(executeWorkflow, { until: "3" })).toMatchObject({ ok: true });
  });

  it("are not drawn when their reading is applied, and hold as before", async () => {
    const calls = broadcast();
    const before = await textOf(calls);
    const result = await calls.call(applyWorkflow, { workflow: before });
    expect(result).toMatchObject({ ok: true });
    expect(result).not.toHaveProperty("data.adjusted");
    expect(calls.comfy.node("3")?.inputs.find(({ name }) => name === "clip")?.linkedFrom).toBeUndefined();
    expect(await textOf(calls)).toBe(before);
  });

  it("are told to be missing where nothing hands them on", async () => {
    const calls = testCalls();
    const workflow = "1 CheckpointLoaderSimple\n3 CLIPTextEncode clip<1(via 2)";
    expect(await calls.call(applyWorkflow, { workflow, allowMissing: true })).toMatchObject({
      data: { adjusted: ["3.clip: nothing hands 1 on to it without a wire"] },
    });
  });

  it("are told to be lost by an edit that takes them away", async () => {
    const calls = broadcast();
    await textOf(calls);
    const result = await calls.call(editWorkflow, { operations: [{ op: "remove", nodes: ["2"] }] });
    expect(result).toMatchObject({
      data: {
        stillUnconnected: expect.arrayContaining([
          "3.clip needs a source: node 1 is handed on to it no more",
        ]),
      },
    });
    expect(await textOf(calls)).toContain("3 CLIPTextEncode clip<?");
  });

  it("are told where an edit brings them to nodes that it does not name", async () => {
    const calls = testCalls(["CheckpointLoaderSimple", "Broadcast", "CLIPTextEncode"], ["1.CLIP>2.anything"]);
    await calls.call(editWorkflow, { operations: [{ op: "disconnect", to: "2.anything" }] });
    calls.comfy.broadcast("2");
    await textOf(calls);
    const connect = { op: "connect", from: "1.CLIP", to: "2.anything" };
    expect(await calls.call(editWorkflow, { operations: [connect] })).toMatchObject({
      summary: expect.stringContaining("3.clip takes 1.CLIP without a wire"),
    });
    const title = { op: "title", nodes: ["3"], title: "Sky" };
    expect(await calls.call(editWorkflow, { operations: [title] })).toMatchObject({
      summary: expect.not.stringContaining("without a wire"),
    });
  });

  it("close loops, too", () => {
    const { comfy } = testCalls(["EmptyImage", "ImageInvert", "ImageInvert"], ["3.IMAGE>2.image"]);
    const graph = comfy.graph();
    const [, , get] = graph.nodes;
    if (get) get.follows = ["1"];
    expect(closesLoop(graph, "2", "1")).toBe(true);
    expect(closesLoop(graph, "1", "2")).toBe(false);
  });
});
