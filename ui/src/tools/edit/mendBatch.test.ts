import { describe, expect, it } from "vitest";
import { createFakeComfy } from "../../comfy/fake";
import { fakeNodes } from "../../comfy/fakeNodes";
import { editWorkflow } from "../editWorkflow";
import { callsOn, testCalls } from "../testing/testCall";

const graph = () =>
  testCalls(
    ["CheckpointLoaderSimple", "CLIPTextEncode", "KSampler", "EmptyLatentImage", "VAEDecode", "SaveImage"],
    ["1.CLIP>2.clip", "1.MODEL>3.model", "3.LATENT>5.samples", "1.VAE>5.vae", "5.IMAGE>6.images"],
  );

async function refused(operations: readonly object[]) {
  const calls = graph();
  const before = calls.lines();
  const result = await calls.call(editWorkflow, { operations });
  expect(result.ok).toBe(false);
  expect(calls.lines()).toEqual(before);
  return { ...calls, result: result as { hint?: string; sendInstead?: { operations: object[] } } };
}

it("a value that does not fit and meets a link is offered where the link comes from", async () => {
  const { call, lines } = testCalls(["PrimitiveInt", "EmptyImage"], ["1.INT>2.width"]);
  const operations = [{ op: "set", nodes: ["2"], widgets: { width: 99999, height: 64 } }];
  const result = await call(editWorkflow, { operations });
  expect(result).toMatchObject({
    ok: false,
    error: expect.stringMatching(/comes from 1\.INT.*99999 does not fit/),
  });
  await call(editWorkflow, (result as { sendInstead: object }).sendInstead);
  expect(lines()).toEqual([expect.stringContaining("value=16384"), expect.stringContaining("height=64")]);
});

it("an output that a node goes behind stays one, also where the node has an input of that name", async () => {
  const nodes = ["EmptyImage", "ImageInvert", "SaveImage"];
  const { call } = testCalls(nodes, ["1.IMAGE>2.image", "2.IMAGE>3.images"]);
  const insertion = { op: "insert", type: "ImageScaleBy", to: "2.IMAGE" };
  expect(
    await call(editWorkflow, { operations: [{ ...insertion, widgets: { scale: "2x" } }] }),
  ).toMatchObject({ sendInstead: { operations: [{ ...insertion, widgets: { scale_by: 2 } }] } });
});

describe("a refused batch comes with the one that fits", () => {
  it.each<[string, object[], object[]]>([
    [
      "with the node that has the widget",
      [{ op: "set", nodes: ["6"], widgets: { steps: 30 } }],
      [{ op: "set", nodes: ["3"], widgets: { steps: 30 } }],
    ],
    [
      "with the widget that is meant, and the nearest value",
      [{ op: "set", nodes: ["3"], widgets: { sampler: "heun", steps: 99999, cfg: 5 } }],
      [{ op: "set", nodes: ["3"], widgets: { sampler_name: "heun", steps: 10000, cfg: 5 } }],
    ],
    [
      "with the other operations as they were",
      [
        { op: "set", nodes: ["3"], widgets: { cfg: 5 } },
        { op: "set", nodes: ["3"], widgets: { sampler_name: "dpm2m" } },
      ],
      [
        { op: "set", nodes: ["3"], widgets: { cfg: 5 } },
        { op: "set", nodes: ["3"], widgets: { sampler_name: "dpmpp_2m" } },
      ],
    ],
    [
      "with an operation for each node that gets values of its own",
      [{ op: "set", nodes: ["3", "4"], widgets: { steps: 9, width: 64 } }],
      [
        { op: "set", nodes: ["3"], widgets: { steps: 9 } },
        { op: "set", nodes: ["4"], widgets: { width: 64 } },
      ],
    ],
    [
      "with the value that a new node takes, for all that use that node",
      [
        { op: "add", type: "EmptyLatentImage", as: "big", widgets: { width: 0 } },
        { op: "connect", from: "big.LATENT", to: "3.latent_image" },
      ],
      [
        { op: "add", type: "EmptyLatentImage", as: "big", widgets: { width: 16 } },
        { op: "connect", from: "big.LATENT", to: "3.latent_image" },
      ],
    ],
    [
      "with both that a sampler's name says",
      [{ op: "set", nodes: ["3"], widgets: { sampler: "dpm++ 2m karras", cfg: "6x" } }],
      [{ op: "set", nodes: ["3"], widgets: { sampler_name: "dpm++ 2m karras", cfg: 6 } }],
    ],
    [
      "with the widget of a new node that begins as the one written",
      [{ op: "insert", to: "6.images", type: "ImageScaleBy", widgets: { scale: "2x" } }],
      [{ op: "insert", to: "6.images", type: "ImageScaleBy", widgets: { scale_by: 2 } }],
    ],
    [
      "with the output that fits the input",
      [{ op: "connect", from: "1.CLIP", to: "3.model" }],
      [{ op: "connect", from: "1.MODEL", to: "3.model" }],
    ],
    [
      "with the input whose name has the written one within",
      [{ op: "connect", from: "2.CONDITIONING", to: "3.neg" }],
      [{ op: "connect", from: "2.CONDITIONING", to: "3.negative" }],
    ],
    [
      "with the only input that takes what comes",
      [{ op: "connect", from: "4.samples", to: "3.noise" }],
      [{ op: "connect", from: "4.LATENT", to: "3.latent_image" }],
    ],
    [
      "with the sources of a new node",
      [{ op: "add", type: "VAEDecode", inputs: { latent: "3.samples", vae: "1.MODEL" } }],
      [{ op: "add", type: "VAEDecode", inputs: { samples: "3.LATENT", vae: "1.VAE" } }],
    ],
    [
      "with the link that the new node can go into",
      [{ op: "insert", type: "ImageInvert", to: "6.picture" }],
      [{ op: "insert", type: "ImageInvert", to: "6.images" }],
    ],
    [
      "with the link that is there to be taken away",
      [{ op: "disconnect", to: "6.picture" }],
      [{ op: "disconnect", to: "6.images" }],
    ],
  ])("%s", async (_, operations, fitting) => {
    const { call, result } = await refused(operations);
    expect(result.sendInstead).toEqual({ operations: fitting });
    expect(await call(editWorkflow, result.sendInstead)).toMatchObject({ ok: true });
  });

  it("of several operations it is said to be the whole batch", async () => {
    const { result } = await refused([
      { op: "remove", nodes: ["6"] },
      { op: "set", nodes: ["2"], widgets: { steps: 3 } },
    ]);
    expect(result.hint).toBe("sendInstead is the whole batch, mended.");
  });
});

it.each<[string, object[]]>([
  [
    "several nodes have the widget",
    [{ op: "set", nodes: ["3"], widgets: { width: 64, batch_size: "many" } }],
  ],
  ["several inputs take what comes", [{ op: "connect", from: "2.CONDITIONING", to: "3.prompt" }]],
  ["there is no such node", [{ op: "remove", nodes: ["77"] }]],
  [
    "only one of two can be mended",
    [
      { op: "remove", nodes: ["77"] },
      { op: "set", nodes: ["6"], widgets: { steps: 30 } },
    ],
  ],
  [
    "two values would go into one widget",
    [{ op: "set", nodes: ["6", "3"], widgets: { steps: 30, Steps: 20 } }],
  ],
  [
    "the batch is very long",
    [{ op: "set", nodes: ["2"], widgets: { steps: 1, text: "a cat ".repeat(900) } }],
  ],
])("no batch is made up where %s", async (_, operations) => {
  const { result } = await refused(operations);
  expect(result).not.toHaveProperty("sendInstead");
});

it("one word for several numbers that go together is offered as each of them", async () => {
  const strength = (name: string) => ({
    name,
    type: "FLOAT",
    isOptional: false,
    widget: "number" as const,
    default: 1,
  });
  const lora = {
    ...{ type: "LoraLoader", title: "Load LoRA", category: "", description: "", isOutput: false },
    inputs: [strength("strength_model"), strength("strength_clip")],
    outputs: [{ name: "MODEL", type: "MODEL" }],
  };
  const { call, comfy } = callsOn(createFakeComfy({ definitions: [...fakeNodes, lora] }));
  comfy.edit((editor) => editor.addNode("LoraLoader"));
  const both = { strength_model: 0.8, strength_clip: 0.8 };
  const sendInstead = {
    operations: [
      { op: "set", nodes: ["1"], widgets: both },
      { op: "add", type: "LoraLoader", widgets: both },
    ],
  };
  const operations = [
    { op: "set", nodes: ["1"], widgets: { strength: 0.8 } },
    { op: "add", type: "LoraLoader", widgets: { strength: 0.8 } },
  ];
  expect(await call(editWorkflow, { operations })).toMatchObject({ ok: false, sendInstead });
});

it.each([
  ["an input that was named as an output", { from: "7:4.width" }, { to: "7:4.width" }],
  ["an output that was named as an input", { to: "7:4.LATENT" }, { from: "7:4.LATENT" }],
])("a promotion of %s is offered the other way", async (_, written, meant) => {
  const { call, comfy } = graph();
  comfy.edit((editor) => editor.makeSubgraph(["4"], "Size"));
  const promote = (slot: object) => ({ operations: [{ op: "promote", title: "shown", ...slot }] });
  const result = await call(editWorkflow, promote(written));
  expect(result).toMatchObject({ ok: false, sendInstead: promote(meant) });
  expect(await call(editWorkflow, promote(meant))).toMatchObject({ ok: true });
});
