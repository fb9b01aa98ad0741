import { expect, it } from "vitest";
import { frameOf } from "../../graph/frames";
import type { GraphNode } from "../../graph/graph";
import { outline, overlaps } from "../../graph/placement";
import { editWorkflow } from "../editWorkflow";
import { testCalls } from "../testing/testCall";

/** An image, its inversion and its file, close to one another. */
function chain() {
  const calls = testCalls(
    ["EmptyImage", "ImageInvert", "SaveImage"],
    ["1.IMAGE>2.image", "2.IMAGE>3.images"],
  );
  calls.comfy.edit((editor) => {
    for (const [index, id] of ["1", "2", "3"].entries()) editor.moveNode(id, { x: index * 350, y: 0 });
  });
  const edit = (...operations: object[]) => calls.call(editWorkflow, { operations });
  const at = (id: string) => calls.comfy.node(id)?.position;
  return { ...calls, edit, at };
}

it("tells that an end has moved, once", async () => {
  const { edit, at } = chain();
  expect(await edit({ op: "insert", type: "ImageInvert", to: "3.images" })).toMatchObject({
    summary: "Added 4 ImageInvert; changed 3 SaveImage images<2→4. Moved: 3 SaveImage 310 px right.",
  });
  expect(at("4")?.y).toBe(0);
  expect((at("3")?.x ?? 0) > (at("4")?.x ?? 0)).toBe(true);
});

it("moves what leads only to an end with it, and tells both in one sentence", async () => {
  const { edit, at } = chain();
  expect(await edit({ op: "insert", type: "ImageInvert", to: "2.image" })).toMatchObject({
    summary: expect.stringContaining("Moved: 2 ImageInvert and 3 SaveImage 310 px right."),
  });
  expect((at("3")?.x ?? 0) - (at("2")?.x ?? 0)).toBe(350);
});

it("moves no end that the batch puts somewhere itself", async () => {
  const { edit, at } = chain();
  const position = { x: 700, y: 400 };
  expect(
    await edit({ op: "insert", type: "ImageInvert", to: "3.images" }, { op: "move", nodes: ["3"], position }),
  ).toMatchObject({ summary: expect.not.stringContaining("Moved:") });
  expect(at("3")).toEqual(position);
});

it("puts a node into the place of one that the same batch takes out of these links", async () => {
  const { edit, at } = chain();
  await edit(
    { op: "add", type: "ImageInvert", as: "other", inputs: { image: "1.IMAGE" } },
    { op: "connect", from: "other.IMAGE", to: "3.images" },
    { op: "remove", nodes: ["2"], rejoin: false },
  );
  expect([at("4"), at("3")]).toEqual([
    { x: 350, y: 0 },
    { x: 700, y: 0 },
  ]);
});

it("puts one into the place of another that is taken out once its links are led elsewhere", async () => {
  const { edit, at } = chain();
  await edit(
    { op: "add", type: "EmptyImage", as: "other" },
    { op: "connect", from: "other.IMAGE", to: "2.image" },
    { op: "remove", nodes: ["1"] },
  );
  expect(at("4")).toEqual({ x: 0, y: 0 });
});

it("puts the end of a chain into the place of what fed the same, and the rest of it before that", async () => {
  const { edit, at } = chain();
  await edit({ op: "add", type: "EmptyImage" });
  await edit(
    { op: "move", nodes: ["4"], position: { x: 700, y: 600 } },
    { op: "add", type: "ImageInvert", as: "first", inputs: { image: "4.IMAGE" } },
    { op: "add", type: "ImageInvert", as: "last", inputs: { image: "first.IMAGE" } },
    { op: "connect", from: "last.IMAGE", to: "3.images" },
    { op: "remove", nodes: ["2"], rejoin: false },
  );
  expect([at("6"), (at("5")?.x ?? 0) < 350]).toEqual([{ x: 350, y: 0 }, true]);
});

it("puts its first into that place where a wire to its end would run back", async () => {
  const { edit, at } = chain();
  await edit({ op: "add", type: "EmptyImage" });
  await edit(
    { op: "move", nodes: ["4"], position: { x: 0, y: -300 } },
    { op: "add", type: "EmptyImage", as: "first" },
    { op: "add", type: "ImageStitch", as: "last", inputs: { image1: "first.IMAGE", image2: "4.IMAGE" } },
    { op: "connect", from: "last.IMAGE", to: "2.image" },
    { op: "remove", nodes: ["1"] },
  );
  expect(at("5")).toEqual({ x: 0, y: 0 });
});

it("stacks those that share the links of one that is taken out", async () => {
  const { edit, at } = chain();
  await edit({ op: "add", type: "ImageInvert", inputs: { image: "1.IMAGE" } });
  await edit(
    { op: "add", type: "EmptyImage", as: "first" },
    { op: "add", type: "EmptyImage", as: "second" },
    { op: "connect", from: "first.IMAGE", to: "2.image" },
    { op: "connect", from: "second.IMAGE", to: "4.image" },
    { op: "remove", nodes: ["1"] },
  );
  expect([at("5")?.x, at("6")?.x]).toEqual([0, 0]);
  expect(at("5")?.y).not.toBe(at("6")?.y);
});

it("puts nothing under a node that keeps the size of the one that it replaces", async () => {
  const { comfy, call } = testCalls(["EmptyLatentImage", "KSampler"], ["1.LATENT>2.latent_image"]);
  comfy.edit((editor) => editor.moveNode("2", { x: 330, y: 0 }));
  const old = outline(comfy.node("2") as GraphNode);
  await call(editWorkflow, {
    operations: [
      { op: "replace", nodes: ["2"], type: "VAEDecode" },
      { op: "add", type: "VAEDecode", as: "other", inputs: { samples: "1.LATENT" } },
    ],
  });
  expect(comfy.node("2")?.position).toEqual({ x: 330, y: 0 });
  expect(overlaps(old, outline(comfy.node("3") as GraphNode))).toBe(false);
});

it("tells of nodes that went the same way together how far, once", async () => {
  const { comfy, call } = testCalls(Array.from({ length: 5 }, () => "EmptyImage"));
  comfy.edit((editor) => {
    for (const id of ["1", "2", "3", "4", "5"]) editor.moveNode(id, { x: 0, y: 200 * Number(id) });
  });
  const move = { op: "move", nodes: ["1", "2", "3", "4"], position: { x: -40, y: 3200 } };
  expect(await call(editWorkflow, { operations: [move] })).toMatchObject({
    summary: "Changed 1 2 3 4 moved 40 px left and 3000 px down.",
  });
});

it("puts what would lie on another where that is free, and tells where", async () => {
  const { edit, at } = chain();
  const position = { x: 20, y: 10 };
  expect(await edit({ op: "move", nodes: ["3"], position })).toMatchObject({
    summary: expect.stringContaining("Not where asked: 3 SaveImage at 20,-130 (1 EmptyImage stands there)."),
  });
  expect(at("1")).toEqual({ x: 0, y: 0 });
  expect(at("3")?.y).not.toBe(10);
});

it("tells of a group that goes aside where its frame is, and which group stands there", async () => {
  const { comfy, edit, at } = chain();
  const frame = (x: number) => ({ x: x - 10, y: -80, width: 320, height: 220 });
  comfy.edit((editor) => {
    editor.moveNode("2", { x: 0, y: 900 });
    for (const [index, [id, x]] of [["1", 0] as const, ["3", 700] as const].entries()) {
      editor.addGroup(`Group ${id}`, [id]);
      editor.placeGroup(index, frame(x));
    }
  });
  expect(await edit({ op: "move", nodes: ["Group 1"], position: { x: 480, y: -80 } })).toMatchObject({
    summary: expect.stringContaining(
      'Not where asked: group "Group 1" at 350,-80 (group "Group 3" stands there).',
    ),
  });
  expect([at("1"), at("3"), comfy.graph().groups[0]?.bounds]).toEqual([
    { x: 360, y: 0 },
    { x: 700, y: 0 },
    frame(360),
  ]);
});

it("puts a node where another of the batch stood", async () => {
  const { edit, at } = chain();
  const [second, third] = [at("2"), at("3")];
  await edit({ op: "move", nodes: ["2"], position: third }, { op: "move", nodes: ["3"], position: second });
  expect([at("2"), at("3")]).toEqual([third, second]);
});

it("puts a node by that which it is to stand beside, also one of the same batch", async () => {
  const { edit, at } = chain();
  await edit(
    { op: "add", type: "SaveImage", as: "copy", inputs: { images: "2.IMAGE" } },
    { op: "add", type: "EmptyImage", beside: "copy" },
    { op: "add", type: "EmptyImage", beside: "1" },
  );
  const [copy, first, second] = [at("4"), at("5"), at("6")];
  expect(first?.x).toBe(copy?.x);
  expect((first?.y ?? 0) > (copy?.y ?? 0)).toBe(true);
  expect([second?.x, (second?.y ?? 0) > 0]).toEqual([0, true]);
});

it("puts a node by a new group where the nodes of that are brought together in the end", async () => {
  const { comfy, edit, at } = chain();
  comfy.edit((editor) => editor.addGroup("Middle", ["2"]));
  const before = [at("1"), at("3")];
  await edit(
    { op: "group", nodes: ["1", "3"], as: "pair" },
    { op: "add", type: "EmptyImage", beside: "pair" },
  );
  const frame = frameOf(comfy.graph(), ["1", "3"]);
  expect([at("1"), at("3")]).not.toEqual(before);
  expect(at("4")).toEqual({ x: frame.x, y: frame.y + frame.height + 50 });
});

it.each([
  ["goes behind what feeds it now", 400, 730],
  ["keeps its place behind what feeds it now", -400, 0],
])("what replaces a source %s", async (_, x, expected) => {
  const { comfy, call } = testCalls(["EmptyImage", "EmptyImage", "ImageInvert"], ["1.IMAGE>3.image"]);
  comfy.edit((editor) => {
    for (const [id, left] of [["2", x] as const, ["3", 1400] as const])
      editor.moveNode(id, { x: left, y: 0 });
  });
  const replace = { op: "replace", nodes: ["1"], type: "ImageInvert", inputs: { image: "2.IMAGE" } };
  await call(editWorkflow, { operations: [replace] });
  expect(comfy.node("1")?.position.x).toBe(expected);
});
