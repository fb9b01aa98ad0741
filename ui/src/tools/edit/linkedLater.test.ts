import { expect, it } from "vitest";
import { addNode } from "../addNode";
import { connectNodes } from "../connectNodes";
import { editWorkflow } from "../editWorkflow";
import { testCalls } from "../testing/testCall";

/** An image far right, and its file behind it. */
function image() {
  const calls = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
  calls.comfy.edit((editor) => {
    editor.moveNode("1", { x: 2000, y: 0 });
    editor.moveNode("2", { x: 2400, y: 0 });
  });
  calls.turn = "t1";
  const at = (id: string) => calls.comfy.node(id)?.position ?? { x: Number.NaN, y: Number.NaN };
  const link = (fromNode: string, toNode: string) => calls.call(connectNodes, { fromNode, toNode });
  const edit = (...operations: object[]) => calls.call(editWorkflow, { operations });
  return Object.assign(calls, { at, link, edit });
}

it("gives nodes that the turn has added their places when they get their links, as in one batch", async () => {
  const whole = image();
  await whole.edit(
    { op: "add", type: "ImageInvert", as: "inverted", inputs: { image: "1" } },
    { op: "add", type: "SaveImage", as: "saved", inputs: { images: "inverted" } },
  );
  const { edit, at } = image();
  await edit({ op: "add", type: "ImageInvert" }, { op: "add", type: "SaveImage" });
  expect(
    await edit({ op: "connect", from: "1", to: "3" }, { op: "connect", from: "3", to: "4" }),
  ).toMatchObject({
    summary: expect.stringContaining("Moved: 3 ImageInvert"),
  });
  expect([at("3"), at("4")]).toEqual([whole.at("3"), whole.at("4")]);
});

it("does so link by link", async () => {
  const { call, link, at } = image();
  await call(addNode, { type: "ImageInvert" });
  await call(addNode, { type: "ImageInvert" });
  await link("3", "4");
  await link("1", "3");
  await link("4", "2");
  expect(at("3").x).toBeGreaterThan(at("1").x);
  expect(at("4").x).toBeGreaterThan(at("3").x);
  expect(at("2").x).toBeGreaterThan(at("4").x);
});

it.each([
  ["the batch puts somewhere", { position: { x: 0, y: 900 } }, () => {}, "t1"],
  [
    "somebody has moved",
    {},
    ({ comfy }: ReturnType<typeof image>) => comfy.edit((editor) => editor.moveNode("3", { x: 0, y: 900 })),
    "t1",
  ],
  ["an earlier turn has added", {}, () => {}, "t2"],
])("leaves those where they are that %s", async (_, given, meanwhile, turn) => {
  const calls = image();
  await calls.edit({ op: "add", type: "ImageInvert", ...given });
  meanwhile(calls);
  const before = calls.at("3");
  calls.turn = turn;
  await calls.link("1", "3");
  expect(calls.at("3")).toEqual(before);
});

it("leaves those where they are that have links already, as long as no wire runs back", async () => {
  const { edit, link, at } = image();
  await edit({ op: "add", type: "ImageStitch", inputs: { image1: "1" } }, { op: "add", type: "EmptyImage" });
  const before = at("3");
  await link("1", "3");
  expect(at("3")).toEqual(before);
});

it("leaves those where they are to which one comes that had no links", async () => {
  const { edit, link, at } = image();
  await edit({ op: "add", type: "SaveImage" }, { op: "add", type: "ImageInvert", inputs: { image: "1" } });
  const before = at("4");
  await link("4", "3");
  expect(at("4")).toEqual(before);
  expect(at("3").x).toBeGreaterThan(before.x);
});
