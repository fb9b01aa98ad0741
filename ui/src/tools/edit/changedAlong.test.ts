import { describe, expect, it } from "vitest";
import type { GraphEditor } from "../../comfy/bridge";
import type { PromptNodes } from "../../graph/prompt";
import { editWorkflow } from "../editWorkflow";
import { testCalls } from "../testing/testCall";

const nodes = ["EmptyImage", "EmptyImage", "ImageScaleBy", "ImageInvert"];
const links = ["1.IMAGE>3.image", "1.IMAGE>4.image"];

/** A page that does more with every edit. */
function meddling(more: (editor: GraphEditor) => void) {
  const calls = testCalls(nodes, links);
  const { edit } = calls.comfy;
  calls.comfy.edit = (change, options) =>
    edit((editor) => {
      const result = change(editor);
      more(editor);
      return result;
    }, options);
  return calls;
}

const moveLink = (editor: GraphEditor) => {
  editor.connect({ node: "2", output: 0 }, { node: "4", input: 0 });
};

async function summaryOf(calls: ReturnType<typeof testCalls>, ...operations: object[]): Promise<string> {
  const result = await calls.call(editWorkflow, { operations });
  return result.ok ? result.summary : result.error;
}

describe("what ComfyUI changes along with an edit", () => {
  it("is told where it is a link of another node", async () => {
    expect(
      await summaryOf(meddling(moveLink), { op: "set", nodes: ["3"], widgets: { scale_by: 2 } }),
    ).toContain("Not asked for, and changed by ComfyUI with it: 4 ImageInvert image<1→2.");
  });

  it("is told where the link is another one than the edit leads to", async () => {
    expect(await summaryOf(meddling(moveLink), { op: "remove", nodes: ["1"] })).toContain(
      "Not asked for, and changed by ComfyUI with it: 4 ImageInvert image<1→2.",
    );
  });

  it.each([
    ["takes away", { op: "remove", nodes: ["1"] }],
    ["puts between", { op: "insert", type: "ImageInvert", before: "4.image" }],
    ["replaces", { op: "replace", nodes: ["1"], type: "LoadImage" }],
    ["packs", { op: "makeSubgraph", nodes: ["1"], title: "Source" }],
  ])("does not count what an edit %s", async (_, operation) => {
    expect(await summaryOf(testCalls(nodes, links), operation)).not.toContain("Not asked for");
  });

  it("is told where a pack writes another value into what is run", async () => {
    const calls = testCalls(nodes, links);
    const { unwired } = calls.comfy;
    const { prompt } = calls.comfy.queue;
    const altered = (made: PromptNodes): PromptNodes => {
      const height = made["3"]?.inputs.scale_by ?? 0;
      return { ...made, "1": { class_type: "EmptyImage", inputs: { ...made["1"]?.inputs, height } } };
    };
    calls.comfy.queue.prompt = async () => {
      const made = await prompt();
      return { ...made, nodes: altered(made.nodes) };
    };
    calls.comfy.unwired = async () => ({
      ...(await unwired()),
      prompt: (await calls.comfy.queue.prompt()).nodes,
    });
    const told = await summaryOf(calls, { op: "set", nodes: ["3"], widgets: { scale_by: 2 } });
    expect(told).toContain("Not asked for, and changed by ComfyUI with it: 1.height: ");
    expect(told).toContain(" → 2.");
  });
});
