/** What an edit says of slots that other parts of it bring forth, take away or fill. */

import { expect, it } from "vitest";
import { applyWorkflow } from "./applyWorkflow";
import { connectNodes } from "./connectNodes";
import { edit } from "./testing/editCalls";
import { testCalls } from "./testing/testCall";

const five = ["1.IMAGE", "2.IMAGE", "1.IMAGE", "2.IMAGE", "1.IMAGE"];

it("Lines call a link into a part of a choice by its short name, and an input of a row by its own", async () => {
  const calls = testCalls([]);
  const built = await calls.call(applyWorkflow, {
    workflow: [
      "1 EmptyImage",
      "2 EmptyImage",
      '3 ResizeImageMaskNode input<1 match<2 resize_type="match size"',
      "4 BatchImagesNode image0<1 image1<3",
    ].join("\n"),
  });
  expect(built).toMatchObject({ ok: true });
  expect(JSON.stringify(built)).not.toContain("refused the link");
  expect(calls.lines()[2]).toContain("resize_type.match<2");
  expect(calls.lines()[2]).not.toContain(" match<");
});

it("A full row says that it is full", async () => {
  const row = { op: "add", type: "BatchImagesNode", as: "batch", inputs: { images: five } };
  const calls = testCalls(["EmptyImage", "EmptyImage"]);
  const added = await edit(calls, row);
  expect(added).toMatchObject({ ok: true });
  const length = (calls.lines()[2]?.match(/images\./g) ?? []).length;
  for (let more = length; more < 50; more += 1)
    await calls.call(connectNodes, { fromNode: "2", toNode: "3", toInput: "images" });
  expect(await calls.call(connectNodes, { fromNode: "2", toNode: "3", toInput: "images" })).toMatchObject({
    ok: false,
    error: expect.stringContaining("takes no more images: all that it can have are linked"),
  });
});

it("A number is no link, and the input says that it takes one only", async () => {
  const calls = testCalls(["EmptyImage"]);
  expect(await edit(calls, { op: "add", type: "ImageInvert", inputs: { image: 0.7 } })).toMatchObject({
    ok: false,
    error: expect.stringContaining("0.7 is no output that image of"),
    hint: expect.stringContaining("connect another node's output of type IMAGE"),
  });
  expect(await edit(calls, { op: "add", type: "ImageInvert", inputs: { image: 1 } })).toMatchObject({
    ok: true,
  });
});

it("An optional input that gets nothing from a muted node is told as a required one is", async () => {
  const calls = testCalls(["EmptyImage", "EmptyImage", "BatchImagesNode", "SaveImage"], ["3.IMAGE>4.images"]);
  await edit(
    calls,
    { op: "connect", from: "1", to: "3.images" },
    { op: "connect", from: "2", to: "3.images" },
  );
  expect(await edit(calls, { op: "mode", nodes: ["2"], mode: "mute" })).toMatchObject({
    data: {
      stillUnconnected: [expect.stringContaining("3.images.image1 gets nothing: 2 EmptyImage is muted")],
    },
  });
});

it("A row goes on whole in a node of another type, which has grown no more than its first input yet", async () => {
  const calls = testCalls(["EmptyImage", "EmptyImage", "EmptyImage", "BatchImagesNode"]);
  await edit(calls, ...["1", "2", "3"].map((from) => ({ op: "connect", from, to: "4.images" })));
  const replaced = await edit(calls, { op: "replace", nodes: ["4"], type: "BatchImagesNode" });
  expect(JSON.stringify(replaced)).not.toContain("Not carried over");
  expect(calls.lines()[3]).toBe("4 BatchImagesNode images.image0<1 images.image1<2 images.image2<3 >IMAGE");
});
