import { describe, expect, it } from "vitest";
import type { InputDefinition, NodeDefinition } from "../comfy/bridge";
import { fakeNodes } from "../comfy/fakeNodes";
import { applyWorkflow } from "./applyWorkflow";
import { connectNodes } from "./connectNodes";
import { editWorkflow } from "./editWorkflow";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { setNodeWidgetValue } from "./setNodeWidgetValue";
import { edit } from "./testing/editCalls";
import { testCalls } from "./testing/testCall";
import { validateWorkflow } from "./validateWorkflow";

describe("a growing row of inputs", () => {
  it("takes three links in the batch that adds the node", async () => {
    const calls = testCalls(["EmptyImage", "EmptyImage", "EmptyImage"]);
    const made = await edit(calls, {
      op: "add",
      type: "BatchImagesNode",
      inputs: { "images.image0": "1.IMAGE", "images.image1": "2.IMAGE", "images.image2": "3.IMAGE" },
    });
    expect(made).toMatchObject({ ok: true });
    expect(calls.lines()[3]).toBe("4 BatchImagesNode images.image0<1 images.image1<2 images.image2<3 >IMAGE");
  });

  it("takes them one operation after the other, too, and by the name of the row", async () => {
    const calls = testCalls(["EmptyImage", "EmptyImage", "EmptyImage", "BatchImagesNode"]);
    const made = await edit(
      calls,
      { op: "connect", from: "1.IMAGE", to: "4.images.image0" },
      { op: "connect", from: "2.IMAGE", to: "4.images.image1" },
      { op: "connect", from: "3.IMAGE", to: "4.images" },
    );
    expect(made).toMatchObject({ ok: true });
    expect(calls.lines()[3]).toBe("4 BatchImagesNode images.image0<1 images.image1<2 images.image2<3 >IMAGE");
  });

  it.each([
    { images: ["1.IMAGE", "2.IMAGE", "3.IMAGE"] },
    { images: ["1", "2", "3"] },
    { images: { image0: "1.IMAGE", image1: "2.IMAGE", image2: "3.IMAGE" } },
    { image0: "1", image1: "2", image2: "3" },
  ])("takes them as %j", async (inputs) => {
    const calls = testCalls(["EmptyImage", "EmptyImage", "EmptyImage"]);
    expect(await edit(calls, { op: "add", type: "BatchImagesNode", inputs })).toMatchObject({ ok: true });
    expect(calls.lines()[3]).toBe("4 BatchImagesNode images.image0<1 images.image1<2 images.image2<3 >IMAGE");
  });

  it("alone takes a list: of another input none of it is left out", async () => {
    const calls = testCalls(["EmptyImage", "EmptyImage"]);
    const made = await edit(calls, {
      op: "add",
      type: "ImageInvert",
      inputs: { image: ["1.IMAGE", "2.IMAGE"] },
    });
    expect(made).toMatchObject({ ok: false, error: expect.stringContaining("takes one link, not a list") });
    expect(made).not.toHaveProperty("sendInstead");
  });

  it("takes links one after the other where no slot is named", async () => {
    const calls = testCalls(["EmptyImage", "ImageInvert", "BatchImagesNode"], ["1.IMAGE>2.image"]);
    await calls.call(connectNodes, { fromNode: "1", toNode: "3" });
    await calls.call(connectNodes, { fromNode: "2", toNode: "3" });
    expect(calls.lines()[2]).toBe("3 BatchImagesNode images.image0<1 images.image1<2 >IMAGE");
  });

  it("says which inputs come before one that is not there yet", async () => {
    const { call } = testCalls(["EmptyImage", "BatchImagesNode"]);
    expect(
      await call(connectNodes, { fromNode: "1", fromOutput: "IMAGE", toNode: "2", toInput: "images.image4" }),
    ).toMatchObject({
      ok: false,
      hint: expect.stringMatching(/^images\.image4 is there once images\.image0, .+ are connected\./),
    });
  });
});

describe("a list or names for a growing row", () => {
  const three = () =>
    testCalls(["EmptyImage", "EmptyImage", "EmptyImage", "BatchImagesNode"], ["3.IMAGE>4.images.image0"]);
  const batch = (inputs: object) => ({ op: "add", type: "BatchImagesNode", inputs });

  it("are two nodes where two ids stand in it, and one output where a number does", async () => {
    const calls = three();
    await edit(calls, batch({ images: ["1", "2"] }), batch({ images: ["1", 0] }));
    expect(calls.lines().slice(4)).toEqual([
      "5 BatchImagesNode images.image0<1 images.image1<2 >IMAGE",
      "6 BatchImagesNode images.image0<1 >IMAGE",
    ]);
  });

  it("are mended into a list of all of them in their order", async () => {
    const refused = await edit(three(), batch({ picture_3: "3", picture_1: "1", picture_2: "2" }));
    expect(refused).toMatchObject({
      sendInstead: {
        operations: [{ op: "add", inputs: { images: ["3.IMAGE", "1.IMAGE", "2.IMAGE"] } }],
      },
    });
  });

  it("are held against values for the same inputs, an object of them like each of them", async () => {
    const add = (inputs: object) =>
      edit(testCalls(["PrimitiveInt"]), {
        ...{ op: "add", type: "ResizeImageMaskNode", inputs },
        widgets: { resize_type: "scale width", "resize_type.width": 64 },
      });
    const each = await add({ "resize_type.width": "1" });
    expect(each).toMatchObject({ ok: false });
    expect(await add({ resize_type: { width: "1" } })).toEqual(each);
  });

  it("are the whole row where its node is replaced", async () => {
    const calls = three();
    const inputs = { images: ["1", "2"] };
    await edit(calls, { op: "replace", nodes: ["4"], type: "BatchImagesNode", inputs });
    expect(calls.lines()[3]).toBe("4 BatchImagesNode images.image0<1 images.image1<2 >IMAGE");
  });
});

describe("a choice that brings inputs along", () => {
  it("has its inputs in the batch that makes it", async () => {
    const calls = testCalls(["EmptyImage"]);
    const made = await edit(
      calls,
      { op: "add", type: "PrimitiveInt", as: "size", widgets: { value: 2 } },
      {
        op: "add",
        type: "ResizeImageMaskNode",
        widgets: { resize_type: "scale dimensions" },
        inputs: { input: "1.IMAGE", "resize_type.width": "size.INT" },
      },
      {
        op: "add",
        type: "ResizeImageMaskNode",
        widgets: { "resize_type.multiplier": 2, resize_type: "scale by multiplier" },
        inputs: { input: "1.IMAGE" },
      },
    );
    expect(made).toMatchObject({ ok: true });
    expect(calls.lines().slice(2)).toEqual([
      "3 ResizeImageMaskNode input<1 resize_type.width<2 >resized",
      '4 ResizeImageMaskNode input<1 resize_type="scale by multiplier" resize_type.multiplier=2 >resized',
    ]);
  });

  it("takes away what belonged to the other choice, and tells of a link that went with it", async () => {
    const calls = testCalls(["PrimitiveInt", "ResizeImageMaskNode"], ["1.INT>2.resize_type.width"]);
    const set = await calls.call(setNodeWidgetValue, {
      node: "2",
      widget: "resize_type",
      value: "scale by multiplier",
    });
    expect(set).toMatchObject({ ok: true });
    expect(JSON.stringify(set)).toContain("resize_type.width");
    expect(calls.lines()[1]).toBe('2 ResizeImageMaskNode input<? resize_type="scale by multiplier" >resized');
  });

  it("lets its inputs be called by the last part of their names", async () => {
    const calls = testCalls(["EmptyImage", "EmptyImage", "ResizeImageMaskNode"], ["1.IMAGE>3.input"]);
    const made = await edit(
      calls,
      { op: "set", nodes: ["3"], widgets: { width: 64, resize_type: "match size" } },
      { op: "connect", from: "2.IMAGE", to: "3.match" },
    );
    expect(made).toMatchObject({ ok: false, error: expect.stringContaining('no widget "width"') });
    await edit(
      calls,
      { op: "set", nodes: ["3"], widgets: { resize_type: "match size" } },
      { op: "connect", from: "2.IMAGE", to: "3.match" },
    );
    expect(calls.lines()[2]).toContain("input<1 resize_type.match<2");
    await edit(calls, { op: "set", nodes: ["3"], widgets: { resize_type: "scale dimensions", width: 64 } });
    expect(calls.lines()[2]).toContain("resize_type.width=64");
  });

  it("offers no other input for one of another choice", async () => {
    const calls = testCalls(["EmptyImage", "EmptyImage", "ResizeImageMaskNode"], ["1.IMAGE>3.input"]);
    const ends = { fromNode: "2", fromOutput: "IMAGE", toNode: "3" };
    for (const toInput of ["resize_type.match", "match"]) {
      const refused = await calls.call(connectNodes, { ...ends, toInput });
      expect(refused).toMatchObject({
        ok: false,
        hint: expect.stringMatching(/^resize_type\.match is there once resize_type is "match size"\./),
      });
      expect(refused).not.toHaveProperty("sendInstead");
      const batch = await edit(calls, { op: "connect", from: "2.IMAGE", to: `3.${toInput}` });
      expect(batch).toMatchObject({ ok: false });
      expect(batch).not.toHaveProperty("sendInstead");
    }
  });

  it("is set by no other node that has a widget of the short name", async () => {
    const calls = testCalls(["EmptyImage", "ResizeImageMaskNode"]);
    await edit(calls, { op: "set", nodes: ["2"], widgets: { resize_type: "scale by multiplier" } });
    const refused = await calls.call(setNodeWidgetValue, { node: "2", widget: "width", value: 640 });
    expect(refused).toMatchObject({
      ok: false,
      hint: expect.stringMatching(/^resize_type\.width is there once resize_type is "scale dimensions"/),
    });
    expect(refused).not.toHaveProperty("sendInstead");
  });

  it("is told of links that stand among values or with them", async () => {
    const calls = testCalls(["PrimitiveInt", "ResizeImageMaskNode"]);
    expect(
      await edit(calls, { op: "set", nodes: ["2"], widgets: { "resize_type.width": ["1", 0] } }),
    ).toMatchObject({
      ok: false,
      hint: expect.stringContaining("connect makes it, from 1.0 to 2.resize_type.width"),
    });
    expect(
      await edit(calls, { op: "set", nodes: ["2"], widgets: {}, inputs: { "resize_type.width": "1" } }),
    ).toMatchObject({ ok: false, hint: expect.stringContaining("connect links nodes that are there") });
  });

  it("says with which choice there is a value that is not there", async () => {
    const { call } = testCalls(["ResizeImageMaskNode"]);
    expect(
      await call(setNodeWidgetValue, { node: "1", widget: "resize_type.multiplier", value: 2 }),
    ).toMatchObject({
      ok: false,
      hint: expect.stringMatching(
        /^resize_type\.multiplier is there once resize_type is "scale by multiplier"\./,
      ),
    });
  });
});

describe("an input that more than one choice brings", () => {
  const combo = (name: string, ...choices: string[]) => ({
    ...{ name, type: "COMBO", isOptional: false, widget: "choice" as const, choices },
    default: choices[0] ?? "",
  });
  const depths = { png: ["8-bit", "16-bit"], exr: ["32-bit float"] };
  const format: InputDefinition = {
    ...combo("format", "png", "exr"),
    options: Object.entries(depths).map(([key, choices]) => ({
      key,
      inputs: [combo("format.bit_depth", ...choices)],
    })),
  };
  const save: NodeDefinition = {
    ...{ type: "SavePicture", title: "Save", category: "", description: "", isOutput: true },
    ...{ inputs: [format], outputs: [] },
  };

  const crf: InputDefinition = {
    name: "format.codec.crf",
    type: "INT",
    isOptional: false,
    widget: "integer",
    default: 23,
  };
  const codec = (...keys: string[]): InputDefinition => ({
    ...combo("format.codec", ...keys),
    options: keys.map((key) => ({ key, inputs: key === "auto" ? [] : [crf] })),
  });
  const saveVideo: NodeDefinition = {
    ...{ type: "SaveVideoAs", title: "Save", category: "", description: "", isOutput: true, outputs: [] },
    inputs: [
      {
        ...combo("format", "mp4", "webm"),
        options: [
          { key: "mp4", inputs: [codec("auto", "h264", "av1")] },
          { key: "webm", inputs: [codec("auto", "av1")] },
        ],
      },
    ],
  };

  it("takes what it may hold with the one that is made", async () => {
    const calls = testCalls(["SavePicture"], [], [...fakeNodes, save]);
    const widgets = { format: "exr", "format.bit_depth": "32-bit float" };
    expect(await edit(calls, { op: "set", nodes: ["1"], widgets })).toMatchObject({ ok: true });
    expect(calls.comfy.graph().nodes[0]?.widgets.map(({ value }) => value)).toEqual(["exr", "32-bit float"]);
  });

  it("is held against the choice that the same call makes before it", async () => {
    const calls = testCalls(["SaveVideoAs"], [], [...fakeNodes, saveVideo]);
    const set = (widgets: object) => edit(calls, { op: "set", nodes: ["1"], widgets });
    await set({ format: "webm" });
    expect(await set({ format: "mp4", "format.codec": "h264", "format.codec.crf": 18 })).toMatchObject({
      ok: true,
    });
    expect(calls.lines()[0]).toBe("1 SaveVideoAs format.codec=h264 format.codec.crf=18");
    await set({ format: "webm" });
    expect(await set({ crf: 18 })).toMatchObject({
      ok: false,
      hint: expect.stringMatching(/^format\.codec\.crf is there once format\.codec is "av1"\./),
    });
    expect(await set({ format: "webm", "format.codec": "h264" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("h264"),
    });
  });

  it("lacks nothing that is there with any of them", async () => {
    const calls = testCalls([], [], [...fakeNodes, save]);
    for (const line of ["1 SavePicture", '1 SavePicture format=exr format.bit_depth="32-bit float"'])
      expect(await calls.call(applyWorkflow, { workflow: line })).toMatchObject({ ok: true });
  });
});

it("lets a matched input take another type where nothing else decides", async () => {
  const calls = testCalls(["EmptyImage", "SolidMask", "ResizeImageMaskNode"], ["1.IMAGE>3.input"]);
  const made = await edit(calls, { op: "connect", from: "2.MASK", to: "3.input" });
  expect(made).toMatchObject({ ok: true });
  const again = await edit(
    calls,
    { op: "disconnect", to: "3.input" },
    { op: "connect", from: "1.IMAGE", to: "3.input" },
  );
  expect(again).toMatchObject({ ok: true });
  expect(calls.lines()[2]).toBe("3 ResizeImageMaskNode input<1 >resized");
});

it("keeps matched inputs to the type of what is linked first", async () => {
  const calls = testCalls(["EmptyImage", "SolidMask", "ComfySwitchNode"]);
  const made = await edit(
    calls,
    { op: "connect", from: "1.IMAGE", to: "3.on_true" },
    { op: "connect", from: "2.MASK", to: "3.on_false" },
  );
  expect(made).toMatchObject({
    ok: false,
    error: expect.stringMatching(/on_false takes IMAGE.*Another node has to convert/s),
  });
  expect(made).not.toHaveProperty("sendInstead");
});

describe("lines", () => {
  const lines = [
    "1 EmptyImage",
    "2 PrimitiveInt value=2",
    '3 ResizeImageMaskNode input<1 resize_type.multiplier<2 resize_type="scale by multiplier" scale_method=lanczos',
    "4 BatchImagesNode images.image0<1 images.image1<3 images.image2<1",
    "5 SaveImage images<4",
  ];

  it("are applied with the values of the choices that they make", async () => {
    const calls = testCalls();
    const applied = await calls.call(applyWorkflow, { workflow: lines.join("\n") });
    expect(applied).toMatchObject({ ok: true });
    expect(calls.comfy.graph().nodes[2]?.widgets.map(({ name, value }) => [name, value])).toEqual([
      ["resize_type", "scale by multiplier"],
      ["resize_type.multiplier", 1],
      ["scale_method", "lanczos"],
    ]);
    expect(calls.lines()).toEqual(lines);
  });

  it("are applied over a node that had another choice", async () => {
    const calls = testCalls(["ResizeImageMaskNode"]);
    await calls.call(getWorkflowInfo);
    const written = '1 ResizeImageMaskNode resize_type="scale by multiplier" resize_type.multiplier=2';
    await calls.call(applyWorkflow, { workflow: written });
    expect(calls.comfy.graph().nodes[0]?.widgets.map(({ value }) => value)).toEqual([
      "scale by multiplier",
      2,
      "area",
    ]);
  });

  it.each(["image0<1 image1<2", "images<1 images<2"])(
    "may name the inputs of a row as in %s",
    async (row) => {
      const calls = testCalls();
      const workflow = `1 EmptyImage\n2 EmptyImage\n4 BatchImagesNode ${row}`;
      expect(await calls.call(applyWorkflow, { workflow })).toMatchObject({ ok: true });
      expect(calls.lines()[2]).toContain("images.image0<1 images.image1<2");
      expect(calls.comfy.graph().nodes[2]?.inputs.map(({ name }) => name)).toEqual([
        "images.image0",
        "images.image1",
        "images.image2",
      ]);
    },
  );

  it("are refused where they tell a value that their choice does not have", async () => {
    const calls = testCalls();
    expect(
      await calls.call(applyWorkflow, {
        workflow: '1 ResizeImageMaskNode resize_type="scale by multiplier" resize_type.width=2',
      }),
    ).toMatchObject({
      ok: false,
      error: expect.stringContaining("has no resize_type.width with resize_type="),
    });
  });
});

it("finds no problem in what runs, and each in what does not", async () => {
  const calls = testCalls();
  await calls.call(editWorkflow, {
    operations: [
      { op: "add", type: "EmptyImage", as: "image" },
      {
        op: "add",
        type: "ResizeImageMaskNode",
        as: "small",
        widgets: { resize_type: "match size" },
        inputs: { input: "image.IMAGE" },
      },
      {
        op: "add",
        type: "ComfySwitchNode",
        as: "either",
        inputs: { on_true: "image.IMAGE", on_false: "small.resized" },
      },
      { op: "add", type: "BatchImagesNode", as: "both", inputs: { images: "either.output" } },
      { op: "add", type: "SaveImage", inputs: { images: "both.IMAGE" } },
    ],
  });
  expect(await calls.call(validateWorkflow)).toMatchObject({
    data: { problems: [expect.objectContaining({ input: "resize_type.match" })] },
  });
  await calls.call(connectNodes, {
    fromNode: "1",
    fromOutput: "IMAGE",
    toNode: "2",
    toInput: "resize_type.match",
  });
  expect(await calls.call(validateWorkflow)).toMatchObject({
    ok: true,
    summary: expect.stringContaining("No problems"),
  });
});

it("takes no value for a link, though a node may have it for its id", async () => {
  const calls = testCalls(["PrimitiveInt", "EmptyImage"]);
  const added = await calls.call(editWorkflow, {
    operations: [{ op: "add", type: "EmptyImage", inputs: { width: 1, height: "tall" } }],
  });
  expect(added).toMatchObject({
    ok: false,
    error: expect.stringMatching(
      /1 is no output .*widgets: \{"width":1\}\. To link node 1, write it as a text.*"tall" is no output/s,
    ),
  });
  const linked = await calls.call(editWorkflow, {
    operations: [{ op: "add", type: "EmptyImage", inputs: { width: "1", height: ["1", 0] } }],
  });
  expect(linked).toMatchObject({ ok: true });
});

it("guesses no input that another link has where none is like what was written", async () => {
  const calls = testCalls(
    ["EmptyImage", "ImageInvert", "SaveImage", "EmptyImage"],
    ["1.IMAGE>2.image", "2.IMAGE>3.images"],
  );
  for (const operation of [
    { op: "connect", from: "4.IMAGE", to: "3.latent" },
    { op: "connect", from: ["1", "4"], to: "2.image" },
  ])
    expect(await calls.call(editWorkflow, { operations: [operation] })).not.toHaveProperty("sendInstead");
});

it("names the node that has the input which another was asked for", async () => {
  const calls = testCalls(["EmptyImage", "BatchImagesNode", "SaveImage"], ["1.IMAGE>2.images.image0"]);
  expect(
    await calls.call(editWorkflow, {
      operations: [{ op: "connect", from: "1.IMAGE", to: "3.images.image1" }],
    }),
  ).toMatchObject({
    ok: false,
    hint: expect.stringContaining("images.image1 is an input of 2 BatchImagesNode."),
  });
});

it("tells of a subgraph that hands nothing on how it does", async () => {
  const calls = testCalls(["EmptyImage", "ImageInvert", "SaveImage"], ["1.IMAGE>2.image"]);
  const wrapped = await calls.call(editWorkflow, {
    operations: [{ op: "makeSubgraph", nodes: ["1", "2"], as: "s" }],
  });
  const { s } = (wrapped as { data: { nodes: { s: string } } }).data.nodes;
  expect(
    await calls.call(editWorkflow, { operations: [{ op: "connect", from: s, to: "3.images" }] }),
  ).toMatchObject({
    ok: false,
    hint: expect.stringContaining(`"op":"promote","from":"${s}:<node>.<output>"`),
  });
  expect(
    await calls.call(editWorkflow, {
      operations: [
        { op: "promote", from: `${s}:2.IMAGE` },
        { op: "connect", from: s, to: "3.images" },
      ],
    }),
  ).toMatchObject({ ok: true });
});
