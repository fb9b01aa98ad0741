import { describe, expect, it } from "vitest";
import type { Comfy } from "../../../comfy/bridge";
import { createFakeComfy } from "../../../comfy/fake";
import { fakeNodes } from "../../../comfy/fakeNodes";
import { writeCompact } from "../../../graph/compact/write";
import { look } from "../../read/sight";
import { passingNodes } from "../../testing/passingNodes";
import { runBatch } from "../batch";
import { editList, readEdits } from "../batchArguments";
import { add } from "./add";
import { connect } from "./connect";
import { insert } from "./insert";

const image = { name: "IMAGE", type: "IMAGE" };

/** A node with two outputs of one name, of which the second is saved. */
function twins() {
  const split = { type: "Split", title: "Split", category: "", description: "", isOutput: false, inputs: [] };
  const comfy = createFakeComfy({ definitions: [...fakeNodes, { ...split, outputs: [image, image] }] });
  comfy.edit((editor) => {
    editor.addNode("Split");
    editor.addNode("SaveImage");
    editor.connect({ node: "1", output: 1 }, { node: "2", input: 0 });
  });
  return comfy;
}

/** A checkpoint with two samplers, two prompts and a decoder. */
async function twoPasses() {
  const comfy = createFakeComfy({ definitions: passingNodes });
  const prompt = { type: "CLIPTextEncode", inputs: { clip: "1.CLIP" } };
  const sampler = {
    type: "KSampler",
    inputs: { model: "1.MODEL", positive: "2.CONDITIONING", negative: "3.CONDITIONING" },
  };
  for (const each of [{ type: "CheckpointLoaderSimple" }, prompt, prompt, sampler, sampler])
    await runBatch(comfy, [add.with(each)]);
  const inserted = async (operation: object) => {
    const done = await runBatch(comfy, readEdits(editList.parse([{ op: "insert", ...operation }])));
    return { leaves: done.plan.leaves, lines: linesOf(comfy) };
  };
  return { comfy, inserted };
}

const linesOf = (comfy: Comfy) =>
  writeCompact(look(comfy).workflow)
    .split("\n")
    .map((line) => line.replace(/ (?:\w+=\S+|(?!clip)\w+<\?|>\w+|ckpt_name=\S+)/g, ""));

describe("a node with several pairs of slots", () => {
  it("takes the model of the one that is meant, and all that reads the text encoder", async () => {
    const { lines, leaves } = await (await twoPasses()).inserted({ to: "4.model", type: "LoraLoader" });
    expect(lines).toEqual([
      "1 CheckpointLoaderSimple",
      "2 CLIPTextEncode clip<6",
      "3 CLIPTextEncode clip<6",
      "4 KSampler model<6 positive<2 negative<3",
      "5 KSampler model<1 positive<2 negative<3",
      "6 LoraLoader model<1 clip<1",
    ]);
    expect(leaves).toEqual(["5.model still takes 1.MODEL"]);
  });

  it("takes what goes into inputs of the same names, of that node alone", async () => {
    const { lines, leaves } = await (await twoPasses()).inserted({
      to: "4.positive",
      type: "ControlNetApplyAdvanced",
    });
    expect(lines.slice(3)).toEqual([
      "4 KSampler model<1 positive<6 negative<6",
      "5 KSampler model<1 positive<2 negative<3",
      "6 ControlNetApplyAdvanced positive<2 negative<3",
    ]);
    expect(leaves).toEqual([
      "5.positive still takes 2.CONDITIONING",
      "5.negative still takes 3.CONDITIONING",
    ]);
  });

  it("takes what reads the source that its other input is given", async () => {
    const { comfy, inserted } = await twoPasses();
    const other = add.with({ type: "CheckpointLoaderSimple" });
    await runBatch(comfy, [other]);
    for (const to of ["2.clip", "3.clip"]) await runBatch(comfy, [connect.with({ from: "6.CLIP", to })]);
    const { lines } = await inserted({ to: "4.model", type: "LoraLoader", inputs: { clip: "6.CLIP" } });
    expect(lines).toContain("7 LoraLoader model<1 clip<6");
    expect(lines.slice(1, 3)).toEqual(["2 CLIPTextEncode clip<7", "3 CLIPTextEncode clip<7"]);
  });

  it("is told what could go through the pair that its link says nothing of", async () => {
    const { comfy, inserted } = await twoPasses();
    await runBatch(comfy, [add.with({ type: "UNETLoader" })]);
    await runBatch(comfy, [connect.with({ from: "6.MODEL", to: "4.model" })]);
    const { lines, leaves } = await inserted({ to: "4.model", type: "LoraLoader" });
    expect(lines).toContain("7 LoraLoader model<6 clip<?");
    expect(leaves).toEqual([
      "1.CLIP still goes into 2.clip, 3.clip and could go through clip of the LoraLoader, which is open",
    ]);
  });

  it("is told apart by what goes by the way of one pair only", async () => {
    const { lines, leaves } = await (await twoPasses()).inserted({
      to: "2.clip",
      type: "LoraLoader",
      title: "Style",
    });
    expect(lines).toContain('6 LoraLoader "Style" model<1 clip<1');
    expect(lines[3]).toBe("4 KSampler model<6 positive<2 negative<3");
    expect(leaves).toEqual(["3.clip still takes 1.CLIP"]);
  });
});

it("goes on the very link that was there, where two outputs have one name", async () => {
  const comfy = twins();
  await runBatch(comfy, [insert.with({ to: "2.images", between: { type: "ImageInvert" } })]);
  expect(comfy.node("3")?.inputs[0]?.linkedFrom).toEqual({ node: "1", output: 1, name: "IMAGE" });
  expect(comfy.node("2")?.inputs[0]?.linkedFrom).toMatchObject({ node: "3" });
});
