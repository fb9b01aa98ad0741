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
    expect(leaves).toEqual(["5.model still takes 1.MODEL, but 5 gets CLIP of the LoraLoader by 2, 3"]);
  });

  it("is told of another pass that reads the same encoders, behind a node of its own, too", async () => {
    const { inserted } = await twoPasses();
    await inserted({ to: "5.model", type: "LoraLoaderModelOnly" });
    const { leaves } = await inserted({ to: "4.model", type: "LoraLoader" });
    expect(leaves).toEqual(["6.model still takes 1.MODEL, but 5 gets CLIP of the LoraLoader by 2, 3"]);
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

  it("is not told of a second pass that takes nothing but the latent of the first", async () => {
    const { comfy, inserted } = await twoPasses();
    await runBatch(comfy, [connect.with({ from: "4.LATENT", to: "5.latent_image" })]);
    const { leaves } = await inserted({ to: "4.positive", type: "ControlNetApplyAdvanced" });
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

it("names of what goes on past it only links that the batch did not draw itself", async () => {
  const { comfy } = await twoPasses();
  const done = await runBatch(
    comfy,
    readEdits(
      editList.parse([
        { op: "add", type: "KSampler", inputs: { model: "1.MODEL" } },
        { op: "add", type: "UNETLoader", as: "other" },
        { op: "add", type: "LoraLoader", as: "lora", inputs: { model: "other.MODEL", clip: "1.CLIP" } },
        { op: "connect", from: "lora.CLIP", to: "2.clip" },
        { op: "insert", to: "4.model", type: "LoraLoaderModelOnly" },
      ]),
    ),
  );
  expect(done.plan.leaves).toEqual(["5.model still takes 1.MODEL"]);
  const open = await runBatch(
    comfy,
    readEdits(
      editList.parse([
        { op: "add", type: "CheckpointLoaderSimple", as: "third" },
        { op: "add", type: "CLIPTextEncode", inputs: { clip: "third.CLIP" } },
        { op: "connect", from: "third.MODEL", to: "4.model" },
        { op: "add", type: "UNETLoader", as: "fourth" },
        { op: "connect", from: "fourth.MODEL", to: "5.model" },
        { op: "insert", to: "5.model", type: "LoraLoader" },
      ]),
    ),
  );
  expect(open.plan.leaves).toEqual([
    "1.CLIP still goes into 3.clip, 8.clip and could go through clip of the LoraLoader, which is open",
    "8.CLIP still goes into 2.clip and could go through clip of the LoraLoader, which is open",
  ]);
});

describe("a node behind an output", () => {
  it.each([
    ["to", { to: "1.MODEL" }],
    ["from", { from: "1.MODEL" }],
  ])("takes all links of it, and those of the output that goes with it, named by %s", async (_, place) => {
    const { lines, leaves } = await (await twoPasses()).inserted({ ...place, type: "LoraLoader" });
    expect(lines).toEqual([
      "1 CheckpointLoaderSimple",
      "2 CLIPTextEncode clip<6",
      "3 CLIPTextEncode clip<6",
      "4 KSampler model<6 positive<2 negative<3",
      "5 KSampler model<6 positive<2 negative<3",
      "6 LoraLoader model<1 clip<1",
    ]);
    expect(leaves).toEqual([]);
  });

  it("takes all links of the other output also where another such node is next", async () => {
    const { inserted } = await twoPasses();
    await inserted({ to: "4.model", type: "LoraLoader" });
    const { lines } = await inserted({ to: "1.MODEL", type: "LoraLoader" });
    expect(lines.slice(3)).toEqual([
      "4 KSampler model<6 positive<2 negative<3",
      "5 KSampler model<7 positive<2 negative<3",
      "6 LoraLoader model<7 clip<7",
      "7 LoraLoader model<1 clip<1",
    ]);
  });

  it("takes what is beside each of its links where its source has no other output of the kind", async () => {
    const { lines, leaves } = await (await twoPasses()).inserted({
      from: "2.CONDITIONING",
      type: "ControlNetApplyAdvanced",
    });
    expect(lines.slice(3)).toEqual([
      "4 KSampler model<1 positive<6 negative<6",
      "5 KSampler model<1 positive<6 negative<6",
      "6 ControlNetApplyAdvanced positive<2 negative<3",
    ]);
    expect(leaves).toEqual([]);
  });

  it("is told what goes on past it", async () => {
    const { comfy, inserted } = await twoPasses();
    await runBatch(comfy, [add.with({ type: "UNETLoader" })]);
    for (const to of ["4.model", "5.model"]) await runBatch(comfy, [connect.with({ from: "6.MODEL", to })]);
    const { lines, leaves } = await inserted({ to: "6.MODEL", type: "LoraLoader" });
    expect(lines).toContain("5 KSampler model<7 positive<2 negative<3");
    expect(leaves).toEqual([
      "1.CLIP still goes into 2.clip, 3.clip and could go through clip of the LoraLoader, which is open",
    ]);
  });

  it("has to be said where an input is called so, too, and is meant where it alone is called exactly so", async () => {
    const { comfy, inserted } = await twoPasses();
    await inserted({ to: "4.positive", type: "ControlNetApplyAdvanced" });
    const type = "ControlNetApplyAdvanced";
    await expect(inserted({ to: "6.positive", type })).rejects.toMatchObject({
      hint: "Before the node: from 2.CONDITIONING, to 6.positive. Behind it: from 6.positive, without to.",
    });
    const before = await inserted({ from: "2.CONDITIONING", to: "6.positive", type });
    expect(before.lines).toContain("6 ControlNetApplyAdvanced positive<7 negative<7");
    comfy.edit((editor) => editor.disconnect({ node: "7", input: 0 }));
    const behind = await inserted({ to: "7.positive", type });
    expect(behind.lines).toContain("6 ControlNetApplyAdvanced positive<8 negative<8");
    await inserted({ to: "4.model", type: "LoraLoader" });
    const exact = await inserted({ to: "9.MODEL", type: "LoraLoaderModelOnly" });
    expect(exact.lines).toContain("4 KSampler model<10 positive<6 negative<6");
  });

  it.each([
    [{ to: "1.VAE" }, "Nothing takes 1.VAE.", "Use add, with inputs."],
    [{ from: "1" }, "Which output of CheckpointLoaderSimple (node 1)?", "Its outputs: MODEL, CLIP, VAE."],
    [
      { from: "2.CONDITIONING", to: "4.model" },
      "model of KSampler (node 4) takes 1.MODEL, no other output.",
      "",
    ],
    [{}, "It needs to, such as 3.model.", ""],
  ])("is refused at %j", async (place, message, hint) => {
    const { inserted } = await twoPasses();
    await expect(inserted({ ...place, type: "LoraLoader" })).rejects.toMatchObject({
      message,
      ...(hint && { hint }),
    });
  });
});

describe("a node with several inputs for what comes", () => {
  it("is refused with the field that says which, and goes where that says", async () => {
    const comfy = createFakeComfy({ definitions: passingNodes });
    const link = { op: "insert", to: "2.images", type: "ImageCompositeMasked" };
    for (const each of [{ type: "EmptyImage" }, { type: "SaveImage", inputs: { images: "1.IMAGE" } }])
      await runBatch(comfy, [add.with(each)]);
    const insertion = (inputs?: object) => runBatch(comfy, readEdits(editList.parse([{ ...link, inputs }])));
    await expect(insertion()).rejects.toMatchObject({
      hint: 'Say which: inputs {"destination":"1.IMAGE"}.',
    });
    await insertion({ destination: "1.IMAGE" });
    expect(linesOf(comfy)).toContain("3 ImageCompositeMasked destination<1");
    expect(linesOf(comfy)).toContain("2 SaveImage images<3");
  });
});

it("goes on the very link that was there, where two outputs have one name", async () => {
  const comfy = twins();
  await runBatch(comfy, [insert.with({ to: "2.images", between: { type: "ImageInvert" } })]);
  expect(comfy.node("3")?.inputs[0]?.linkedFrom).toEqual({ node: "1", output: 1, name: "IMAGE" });
  expect(comfy.node("2")?.inputs[0]?.linkedFrom).toMatchObject({ node: "3" });
});
