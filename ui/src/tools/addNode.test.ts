import { describe, expect, it } from "vitest";
import { createFakeComfy } from "../comfy/fake";
import { addNode } from "./addNode";
import { callsOn, testCalls } from "./testing/testCall";

describe("adding a node", () => {
  it("gives back what was read from the graph: id, slots and widgets", async () => {
    const { call } = testCalls();
    expect(await call(addNode, { type: "ImageStitch" })).toEqual({
      ok: true,
      summary:
        "Added ImageStitch as node 1. Still unconnected: 1.image1 (IMAGE) needs a source, 1 is used by nothing: IMAGE.",
      told: ["changes", "stillUnconnected"],
      data: {
        workflow: "Test",
        id: "1",
        type: "ImageStitch",
        inputs: ["image1 (IMAGE)", "image2 (IMAGE) optional"],
        outputs: ["IMAGE"],
        widgets: {},
        changes: { added: { "1": "ImageStitch" }, changed: {}, removed: {} },
        stillUnconnected: ["1.image1 (IMAGE) needs a source", "1 is used by nothing: IMAGE"],
      },
    });
  });

  it("says what it cannot do of what it is asked", async () => {
    const { call } = testCalls();
    const args = { type: "SaveImage", inputs: { images: "1.IMAGE" }, as: "", color: null };
    expect(await call(addNode, args)).toMatchObject({
      ok: true,
      summary:
        "Added SaveImage as node 1. Still unconnected: 1.images (IMAGE) needs a source. addNode has no inputs: that was ignored.",
      data: { notUsed: ["inputs"] },
    });
  });

  it.each([
    ["as numbers", { width: 64, color: 16711680 }],
    ["as text", { width: "64", color: "16711680" }],
    ["in other letter case, the color as #rrggbb", { Width: 64, COLOR: "#FF0000" }],
    ["as JSON text", '{"width": 64, "color": "0xff0000"}'],
    ["with the color's name", { width: 64, color: "red" }],
  ])("sets widgets written %s", async (_, widgets) => {
    const { call, lines } = testCalls();
    expect(await call(addNode, { type: "EmptyImage", widgets })).toMatchObject({
      ok: true,
      summary:
        "Added EmptyImage as node 1 with width=64, color=16711680. Still unconnected: 1 is used by nothing: IMAGE.",
    });
    expect(lines()).toEqual(["1 EmptyImage width=64 color=16711680 >IMAGE"]);
  });

  it("gives it the title and position that were asked for", async () => {
    const { call, comfy } = testCalls();
    await call(addNode, { type: "EmptyImage", title: "canvas", position: { x: "40", y: 300 } });
    expect(comfy.graph().nodes).toMatchObject([{ title: "canvas", position: { x: 40, y: 300 } }]);
  });

  it("says so when ComfyUI keeps another value than was asked for", async () => {
    const { call } = testCalls();
    expect(await call(addNode, { type: "EmptyLatentImage", widgets: { width: 1001 } })).toMatchObject({
      ok: true,
      summary:
        "Added EmptyLatentImage as node 1 with width=1000. Still unconnected: 1 is used by nothing: LATENT. ComfyUI made 1000 of 1001 for width.",
    });
  });

  it.each([
    ["the title on its face", "Save Image", "SaveImage"],
    ["other letter case", "saveimage", "SaveImage"],
    ["a name with a space", "Epsilon Scaling", "Epsilon Scaling"],
  ])("finds the type by %s", async (_, type, found) => {
    const { call } = testCalls();
    expect(await call(addNode, { type })).toMatchObject({ ok: true, data: { type: found } });
  });

  it.each([
    ["K sampler advanced", "Closest: KSampler. searchInstalledNodes finds others."],
    ["Upscale Image", "Closest: ImageScaleBy. searchInstalledNodes finds others."],
    ["FooBar", "Call searchInstalledNodes to find the exact name."],
  ])("refuses %s, which is not installed, naming the closest types", async (type, hint) => {
    const { call } = testCalls();
    expect(await call(addNode, { type })).toEqual({
      ok: false,
      error: `No node type "${type}" is installed.`,
      hint,
    });
  });

  it.each([
    ["a widget that it does not have", { stepz: 4 }, /has no widget "stepz"/],
    ["a choice that is not installed", { steps: 4, sampler_name: "eulr" }, /not one of the 4 choices/],
    ["a number out of range", { steps: 0 }, /expected integer 1\.\.10000/],
    ["an input instead of a widget", { model: "sd15" }, /input without a widget/],
  ])("adds nothing, not even an undo step, when it is given %s", async (_, widgets, error) => {
    const { call, comfy } = testCalls();
    const result = await call(addNode, { type: "KSampler", widgets });
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(error) });
    expect(result).toMatchObject({ error: expect.stringMatching(/^No node was added: /) });
    expect(comfy.graph().nodes).toEqual([]);
    expect(comfy.undoSteps).toBe(0);
  });

  it("does not ask for a use of what an output node hands on", async () => {
    const saveVideo = {
      ...{ type: "SaveVideo", title: "Save Video", category: "video", description: "", isOutput: true },
      ...{ inputs: [], outputs: [{ name: "video", type: "VIDEO" }] },
    };
    const { call } = callsOn(createFakeComfy({ definitions: [saveVideo] }));
    expect(await call(addNode, { type: "SaveVideo" })).toMatchObject({
      summary: "Added SaveVideo as node 1.",
    });
  });

  it("is one undo step, widgets included", async () => {
    const { call, comfy } = testCalls();
    await call(addNode, { type: "EmptyImage", widgets: { width: 64, height: 64 } });
    expect(comfy.undoSteps).toBe(1);
  });

  it("tells that it happened inside the open subgraph", async () => {
    const { call, comfy } = testCalls();
    comfy.openScope({ kind: "subgraph", id: "s", name: "Upscale", outputs: [] });
    expect(await call(addNode, { type: "EmptyImage" })).toMatchObject({
      summary:
        'Added EmptyImage as node 1 (inside the open subgraph "Upscale"). Still unconnected: 1 is used by nothing: IMAGE.',
    });
  });
});
