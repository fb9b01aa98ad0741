import { describe, expect, it } from "vitest";
import { connectNodes } from "./connectNodes";
import { editWorkflow } from "./editWorkflow";
import { testCalls } from "./testing/testCall";

describe("connecting nodes", () => {
  it.each([
    ["by names", { fromOutput: "IMAGE", toInput: "images" }],
    ["by indices", { fromOutput: 0, toInput: "0" }],
    ["by names in other letter case", { fromOutput: "image", toInput: "IMAGES" }],
    ["by the input's type", { fromOutput: "IMAGE", toInput: "IMAGE" }],
    ["without names where only one pair fits", {}],
  ])("finds the slots %s", async (_, slots) => {
    const { call, lines } = testCalls(["EmptyImage", "SaveImage"]);
    expect(await call(connectNodes, { fromNode: "1", toNode: "2", ...slots })).toEqual({
      ok: true,
      summary: "Connected 1.IMAGE to 2.images.",
      told: ["changes", "from", "to", "replaced"],
      data: {
        workflow: "Test",
        ...{ from: "1.IMAGE", to: "2.images" },
        changes: { added: {}, changed: { "2": "SaveImage images<1" }, removed: {} },
      },
    });
    expect(lines()).toEqual(["1 EmptyImage", "2 SaveImage images<1"]);
  });

  it("takes the one open input of the right type when none is named", async () => {
    const { call } = testCalls(
      ["CLIPTextEncode", "CLIPTextEncode", "KSampler"],
      ["1.CONDITIONING>3.positive"],
    );
    expect(await call(connectNodes, { fromNode: "2", toNode: "3" })).toMatchObject({
      summary:
        "Connected 2.CONDITIONING to 3.negative. Still unconnected: 3.model (MODEL) needs a source, 3.latent_image (LATENT) needs a source.",
      data: {
        stillUnconnected: ["3.model (MODEL) needs a source", "3.latent_image (LATENT) needs a source"],
      },
    });
  });

  it("asks for names when several slots fit", async () => {
    const { call, comfy } = testCalls(["CLIPTextEncode", "KSampler"]);
    const steps = comfy.undoSteps;
    expect(await call(connectNodes, { fromNode: "1", toNode: "2" })).toEqual({
      ok: false,
      error:
        "Several slots fit between CLIPTextEncode (node 1) and KSampler (node 2): CONDITIONING to positive, CONDITIONING to negative.",
      hint: "Name both slots, such as 1.CONDITIONING and 2.positive.",
    });
    expect(comfy.undoSteps).toBe(steps);
  });

  it.each([
    ["an output that there is not", { fromOutput: "picture", toInput: "images" }],
    ["an input that there is not", { fromOutput: "IMAGE", toInput: "picture" }],
    ["neither", { fromOutput: "picture", toInput: "picture" }],
  ])("gives the call that fits for %s", async (_, slots) => {
    const { call } = testCalls(["EmptyImage", "SaveImage"]);
    expect(await call(connectNodes, { fromNode: "EmptyImage", toNode: "2", ...slots })).toMatchObject({
      ok: false,
      sendInstead: { fromNode: "1", fromOutput: "IMAGE", toNode: "2", toInput: "images" },
    });
  });

  it("gives no call where several pairs fit", async () => {
    const { call } = testCalls(["CLIPTextEncode", "KSampler"]);
    const result = await call(connectNodes, { fromNode: "1", toNode: "2", toInput: "words" });
    expect(result).toMatchObject({ ok: false });
    expect(result).not.toHaveProperty("sendInstead");
  });

  it("tells which link was replaced", async () => {
    const { call } = testCalls(["EmptyImage", "EmptyImage", "SaveImage"], ["1.IMAGE>3.images"]);
    expect(await call(connectNodes, { fromNode: "2", toNode: "3", toInput: "images" })).toMatchObject({
      ok: true,
      summary:
        "Connected 2.IMAGE to 3.images, replacing 1.IMAGE. Still unconnected: 1 EmptyImage is used by nothing now.",
      data: { replaced: "1.IMAGE" },
    });
  });

  it("says so when the link was there already", async () => {
    const { call } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    expect(await call(connectNodes, { fromNode: "1", toNode: "2", toInput: "images" })).toMatchObject({
      ok: true,
      summary: "Connected 1.IMAGE to 2.images (it already was).",
      told: ["changes", "from", "to", "replaced", "unchanged"],
    });
  });

  it("tells what else ComfyUI has changed with it", async () => {
    const { call, comfy } = testCalls(["EmptyImage", "SaveImage"]);
    const { edit } = comfy;
    comfy.edit = (change, options) =>
      edit((editor) => {
        const result = change(editor);
        editor.setWidget("1", "height", 96);
        return result;
      }, options);
    expect(await call(connectNodes, { fromNode: "1", toNode: "2" })).toMatchObject({
      summary:
        "Connected 1.IMAGE to 2.images; changed 1 EmptyImage height=512→96. Not asked for, and changed by ComfyUI with it: 1 EmptyImage height=512→96.",
    });
  });

  it("feeds a widget", async () => {
    const { call, lines } = testCalls(["PrimitiveInt", "EmptyImage"]);
    expect(await call(connectNodes, { fromNode: "1", toNode: "2", toInput: "height" })).toMatchObject({
      ok: true,
    });
    expect(lines()[1]).toBe("2 EmptyImage height<1 >IMAGE");
  });

  it("connects anything to a wildcard input", async () => {
    const { call } = testCalls(["EmptyLatentImage", "PreviewAny"]);
    expect(await call(connectNodes, { fromNode: "1", toNode: "2" })).toMatchObject({
      ok: true,
      summary: "Connected 1.LATENT to 2.source.",
    });
  });

  it("prefers real inputs to widgets of the same type", async () => {
    const { call } = testCalls(["SolidMask", "JoinImageWithAlpha"]);
    expect(await call(connectNodes, { fromNode: "1", toNode: "2" })).toMatchObject({
      summary: "Connected 1.MASK to 2.alpha. Still unconnected: 2.image (IMAGE) needs a source.",
    });
  });

  it.each([
    [
      "types that differ, naming the slots that would fit",
      ["CheckpointLoaderSimple", "VAEDecode"],
      { fromOutput: "CLIP", toInput: "vae" },
      "1.CLIP gives CLIP, but 2.vae takes VAE.",
      "Outputs of 1 that fit vae: VAE.",
    ],
    [
      "types that nothing of both nodes could bridge",
      ["EmptyLatentImage", "SaveImage"],
      { fromOutput: "LATENT", toInput: "images" },
      "1.LATENT gives LATENT, but 2.images takes IMAGE.",
      "Another node has to convert between them; searchInstalledNodes finds one.",
    ],
    [
      "nodes between which nothing fits",
      ["EmptyLatentImage", "SaveImage"],
      {},
      "No output of EmptyLatentImage (node 1) fits an input of SaveImage (node 2).",
      "Outputs: LATENT. Inputs: images (IMAGE), filename_prefix (STRING).",
    ],
    [
      "an output that is not there",
      ["CheckpointLoaderSimple", "KSampler"],
      { fromOutput: "MODLE", toInput: "model" },
      'CheckpointLoaderSimple (node 1) has no output "MODLE".',
      "Closest: MODEL. Its outputs: MODEL, CLIP, VAE.",
    ],
    [
      "an index beyond the last slot",
      ["EmptyImage", "SaveImage"],
      { fromOutput: "3", toInput: "images" },
      'EmptyImage (node 1) has no output "3".',
      "Its outputs: IMAGE.",
    ],
    [
      "a node without outputs as source",
      ["SaveImage", "ImageInvert"],
      { fromOutput: "IMAGE", toInput: "image" },
      "SaveImage (node 1) has no outputs.",
      undefined,
    ],
  ])("refuses %s", async (_, nodes, slots, error, hint) => {
    const { call, comfy } = testCalls(nodes);
    const before = comfy.graph();
    expect(await call(connectNodes, { fromNode: "1", toNode: "2", ...slots })).toMatchObject({
      ok: false,
      error,
      ...(hint !== undefined && { hint }),
    });
    expect(comfy.graph()).toEqual(before);
  });

  it("takes links that make a loop which a later one opens: two nodes change places", async () => {
    const { call, lines } = testCalls(
      ["EmptyImage", "ImageInvert", "ImageInvert", "PreviewImage"],
      ["1.IMAGE>2.image", "2.IMAGE>3.image", "3.IMAGE>4.images"],
    );
    const operations = [
      { op: "connect", from: "3.IMAGE", to: "2.image" },
      { op: "connect", from: "1.IMAGE", to: "3.image" },
      { op: "connect", from: "2.IMAGE", to: "4.images" },
    ];
    expect(await call(editWorkflow, { operations: operations.slice(0, 1) })).toMatchObject({ ok: false });
    expect(await call(editWorkflow, { operations })).toMatchObject({ ok: true });
    expect(lines().join()).toMatch(/image<3.*image<1.*images<2/);
  });

  it("refuses a link that would close a loop", async () => {
    const { call, comfy } = testCalls(["ImageInvert", "ImageInvert"], ["1.IMAGE>2.image"]);
    const before = comfy.graph();
    expect(await call(connectNodes, { fromNode: "2", toNode: "1" })).toEqual({
      ok: false,
      error: "Connecting 2.IMAGE to 1.image would close a loop, which ComfyUI cannot run.",
      hint: "ImageInvert (node 2) already depends on ImageInvert (node 1).",
    });
    expect(await call(connectNodes, { fromNode: "1", toNode: "1" })).toMatchObject({ ok: false });
    expect(comfy.graph()).toEqual(before);
  });

  it("says that a path leads into no subgraph", async () => {
    const { call } = testCalls(["ImageInvert"]);
    expect(await call(connectNodes, { fromNode: "6:9", toNode: "1" })).toMatchObject({
      ok: false,
      error: 'There is no node "6:9": the workflow has no node 6.',
    });
  });

  it("connects the subgraph's own input inside an open subgraph", async () => {
    const { call, comfy, lines } = testCalls(["EmptyImage", "ImageInvert"], ["1.IMAGE>2.image"]);
    const outer = comfy.edit((editor) => editor.makeSubgraph(["2"]));
    comfy.openSubgraph([outer]);
    const added = comfy.edit((editor) => editor.addNode("ImageInvert"));
    expect(await call(connectNodes, { fromNode: "input", fromOutput: "image", toNode: added })).toMatchObject(
      {
        ok: true,
      },
    );
    expect(lines()).toContain(`${added} ImageInvert image<input >IMAGE`);
  });
});
