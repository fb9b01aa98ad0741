import { describe, expect, it } from "vitest";
import { editWorkflow } from "../editWorkflow";
import { removeNode } from "../removeNode";
import { edit } from "../testing/editCalls";
import { passingNodes } from "../testing/passingNodes";
import { testCalls } from "../testing/testCall";

/** A LoRA (2) between a checkpoint (1), the prompt (3) and the sampler (4), whose latent is scaled (6), sampled again (7) and decoded (8). */
const passes = () =>
  testCalls(
    [
      ...["CheckpointLoaderSimple", "LoraLoader", "CLIPTextEncode", "KSampler", "EmptyLatentImage"],
      ...["LatentUpscale", "KSampler", "VAEDecode"],
    ],
    [
      ...[
        "1.MODEL>2.model",
        "1.CLIP>2.clip",
        "2.CLIP>3.clip",
        "2.MODEL>4.model",
        "3.CONDITIONING>4.positive",
      ],
      ...[
        "3.CONDITIONING>4.negative",
        "5.LATENT>4.latent_image",
        "4.LATENT>6.samples",
        "6.LATENT>7.latent_image",
      ],
      ...["2.MODEL>7.model", "3.CONDITIONING>7.positive", "3.CONDITIONING>7.negative"],
      ...["7.LATENT>8.samples", "1.VAE>8.vae"],
    ],
    passingNodes,
  );
const summaryOf = (result: object) => (result as { summary: string }).summary;

describe("what passes through a node", () => {
  it("goes on where it is taken out, and is told once", async () => {
    const calls = passes();
    const result = await calls.call(removeNode, { node: "2" });
    expect(summaryOf(result)).toBe(
      "Removed LoraLoader (node 2) and its 5 links. Joined: 4.model<1.MODEL, 7.model<1.MODEL, 3.clip<1.CLIP.",
    );
    expect(calls.comfy.node("3")?.inputs[0]?.linkedFrom).toMatchObject({ node: "1", name: "CLIP" });
  });

  it.each([
    ["in the order of the chain", ["6", "7"]],
    ["against it", ["7", "6"]],
  ])("goes on past several that are taken out, %s", async (_, nodes) => {
    const calls = passes();
    expect(summaryOf(await edit(calls, { op: "remove", nodes }))).toBe(
      "Removed 6 LatentUpscale, 7 KSampler. Joined: 8.samples<4.LATENT.",
    );
    const alone = passes();
    const operations = nodes.map((node) => ({ op: "remove", nodes: [node] }));
    expect(await edit(alone, ...operations)).toMatchObject({
      summary: "Removed 6 LatentUpscale, 7 KSampler. Joined: 8.samples<4.LATENT.",
    });
  });

  it("stays open where that is asked for", async () => {
    const calls = passes();
    expect(summaryOf(await edit(calls, { op: "remove", nodes: ["6", "7"], rejoin: false }))).toBe(
      "Changed 8 VAEDecode -samples<7; removed 6 LatentUpscale, 7 KSampler. Still unconnected: 8.samples (LATENT) needs a source, 4 KSampler is used by nothing now.",
    );
  });

  it("is told as the batch leaves it", async () => {
    const calls = passes();
    expect(
      await edit(
        calls,
        { op: "remove", nodes: ["2"] },
        { op: "add", type: "LoraLoader", as: "other", inputs: { model: "1.MODEL", clip: "1.CLIP" } },
        { op: "connect", from: "other.MODEL", to: ["4.model", "7.model"] },
        { op: "set", nodes: ["4"], widgets: { steps: 9 } },
      ),
    ).toMatchObject({
      summary: expect.stringMatching(/ model<2→9 steps=20→9, .* Joined: 3\.clip<1\.CLIP\./),
    });
  });

  it("goes on inside a subgraph, from its own input and to its own output", async () => {
    const calls = passes();
    await edit(calls, { op: "makeSubgraph", nodes: ["6", "7"], as: "second", title: "Second" });
    const { id } = calls.comfy.graph().nodes.find(({ title }) => title === "Second") ?? { id: "" };
    expect(summaryOf(await edit(calls, { op: "remove", nodes: [`${id}:6`, `${id}:7`] }))).toContain(
      "Joined: ",
    );
    expect(calls.comfy.graph([id]).scope).toMatchObject({ outputs: [{ linkedFrom: { node: "input" } }] });
  });

  it("is told with what stays open where ComfyUI does not draw it", async () => {
    const calls = passes();
    const { edit: editOnce } = calls.comfy;
    calls.comfy.edit = (change, options) =>
      editOnce(
        (editor) => change({ ...editor, within: () => ({ ...editor, connect: () => false }) }),
        options,
      );
    expect(summaryOf(await edit(calls, { op: "remove", nodes: ["6", "7"] }))).toBe(
      "Changed 8 VAEDecode -samples<7; removed 6 LatentUpscale, 7 KSampler. Not asked for, and changed by ComfyUI with it: 8 VAEDecode -samples<7. Still unconnected: 8.samples (LATENT) needs a source, 4 KSampler is used by nothing now.",
    );
  });

  it("goes on past what a node of another type has no place for", async () => {
    const calls = passes();
    const operation = { op: "replace", nodes: ["2"], type: "LoraLoaderModelOnly" };
    expect(await calls.call(editWorkflow, { operations: [operation] })).toMatchObject({
      summary: "Changed 2 LoraLoader→LoraLoaderModelOnly -clip<1. Joined: 3.clip<1.CLIP.",
    });
    expect(summaryOf(await edit(passes(), { ...operation, rejoin: false }))).toContain(
      "Not carried over: 2.CLIP>3.clip, 2.clip<1.CLIP.",
    );
  });
});
