import { describe, expect, it } from "vitest";
import { testCalls } from "./testing/testCall";
import { validateWorkflow } from "./validateWorkflow";
import { findProblems, type Installed } from "./validation/findProblems";

const chain = () =>
  testCalls(["EmptyImage", "ImageInvert", "SaveImage"], ["1.IMAGE>2.image", "2.IMAGE>3.images"]);

describe("checking a workflow", () => {
  it("finds nothing in one that would run, and tells how much would", async () => {
    const { call, comfy } = chain();
    comfy.edit((editor) => editor.addNode("EmptyImage"));
    expect(await call(validateWorkflow)).toEqual({
      ok: true,
      summary: "No problems: 3 nodes would run, 1 lead to no output.",
      data: { problems: [] },
    });
  });

  it("finds that there is no output", async () => {
    const { call } = testCalls(["EmptyImage"]);
    expect(await call(validateWorkflow)).toMatchObject({
      data: {
        problems: [
          {
            problem: "No active node shows or saves a result, so nothing would run.",
            fix: "Connect the result to one of: SaveImage, PreviewImage, PreviewAny.",
          },
        ],
      },
    });
  });

  it("finds a required input that is not connected", async () => {
    const { call, comfy } = chain();
    comfy.edit((editor) => editor.disconnect({ node: "2", input: 0 }));
    expect(await call(validateWorkflow)).toMatchObject({
      summary: "1 problem: 2 ImageInvert.image: The required input image (IMAGE) is not connected.",
      data: {
        problems: [{ node: "2 ImageInvert", input: "image", fix: "Connect an output of type IMAGE." }],
      },
    });
  });

  it("leaves nodes that lead to no output to the warnings", async () => {
    const { call, comfy } = chain();
    comfy.edit((editor) => editor.addNode("ImageInvert"));
    expect(await call(validateWorkflow)).toMatchObject({
      data: { problems: [], inNodesThatLeadToNoOutput: [{ node: "4 ImageInvert", input: "image" }] },
    });
  });
});

describe("problems of what would run", () => {
  const { comfy } = testCalls();
  const installed: Installed = {
    definitionOf: (type) => comfy.nodeDefinition(type),
    types: () => comfy.nodeTypes(),
    nodeOf: () => undefined,
    sourceOf: () => undefined,
  };
  const node = (class_type: string, inputs: Record<string, string | number | [string, number]>) => ({
    class_type,
    inputs,
  });
  const save = (source: string, slot = 0) =>
    node("SaveImage", { images: [source, slot], filename_prefix: "x" });
  const image = { width: 64, height: 64, batch_size: 1, color: 0 };

  it.each<[string, Parameters<typeof findProblems>[0], object]>([
    [
      "a type that is not installed",
      { 1: node("EmptyImag", {}), 2: save("1") },
      { kind: "missing-type", node: "1", fix: expect.stringContaining("EmptyImage") },
    ],
    [
      "a number out of range",
      { 1: node("EmptyImage", { ...image, width: 0 }), 2: save("1") },
      { kind: "wrong-value", input: "width", found: "0 does not fit width, integer 1..16384." },
    ],
    [
      "a fraction where a whole number is due",
      { 1: node("EmptyImage", { ...image, width: 1.5 }), 2: save("1") },
      { kind: "wrong-value", input: "width" },
    ],
    [
      "a choice that there is not",
      {
        1: node("EmptyImage", image),
        2: node("ImageScaleBy", { image: ["1", 0], upscale_method: "lancos", scale_by: 1 }),
        3: save("2"),
      },
      { kind: "wrong-choice", input: "upscale_method", fix: "Closest: lanczos." },
    ],
    [
      "a file that is not installed",
      {
        1: node("CheckpointLoaderSimple", { ckpt_name: "sd15/baze.safetensors" }),
        2: node("VAEDecode", { samples: ["3", 0], vae: ["1", 2] }),
        3: node("EmptyLatentImage", { width: 64, height: 64 }),
        4: save("2"),
      },
      { kind: "wrong-choice", node: "1", found: 'The file "sd15/baze.safetensors" is not installed.' },
    ],
    [
      "an output of another type",
      {
        1: node("CheckpointLoaderSimple", { ckpt_name: "sdxl.safetensors" }),
        2: node("VAEDecode", { samples: ["3", 0], vae: ["1", 1] }),
        3: node("EmptyLatentImage", { width: 64, height: 64 }),
        4: save("2"),
      },
      { kind: "wrong-type", node: "2", input: "vae", fix: "Connect output VAE of node 1 instead." },
    ],
    [
      "an output that the source does not have",
      { 1: node("EmptyImage", image), 2: save("1", 3) },
      { kind: "wrong-type", node: "2", found: expect.stringContaining("output 3 of node 1 EmptyImage") },
    ],
    [
      "a source that is not there",
      { 2: save("1") },
      { kind: "missing-input", node: "2", input: "images", found: expect.stringContaining("node 1") },
    ],
    [
      "a loop",
      {
        1: node("ImageInvert", { image: ["2", 0] }),
        2: node("ImageInvert", { image: ["1", 0] }),
        3: save("2"),
      },
      { kind: "loop", found: "The links form a loop: 1 to 2 to 1." },
    ],
  ])("include %s", (_, nodes, problem) => {
    expect(findProblems(nodes, installed).errors).toEqual([expect.objectContaining(problem)]);
  });

  it("include a bypassed source that has nothing to hand on", () => {
    const bypassed = { id: "1", type: "VAEDecode", mode: "bypassed" };
    const { errors } = findProblems(
      { 2: node("SaveImage", { filename_prefix: "x" }) },
      { ...installed, sourceOf: () => bypassed as ReturnType<Installed["sourceOf"]> },
    );
    expect(errors).toEqual([
      expect.objectContaining({
        kind: "nothing-handed-on",
        found: "Its source, node 1 VAEDecode, is bypassed and hands nothing of type IMAGE on.",
        fix: "Make node 1 active, or connect another source.",
      }),
    ]);
  });
  it("name a bypassed source inside a subgraph by its path, and a subgraph by its name", () => {
    const bypassed = { id: "66", type: "1f8c", subgraph: { id: "1f8c", name: "Decode" }, mode: "bypassed" };
    const { errors } = findProblems(
      { "75:60": node("SaveImage", { filename_prefix: "x" }) },
      { ...installed, sourceOf: () => bypassed as ReturnType<Installed["sourceOf"]> },
    );
    expect(errors[0]).toMatchObject({
      found: 'Its source, node 75:66 Subgraph "Decode", is bypassed and hands nothing of type IMAGE on.',
      fix: "Make node 75:66 active, or connect another source.",
    });
  });
});
