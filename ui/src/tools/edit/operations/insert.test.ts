import { expect, it } from "vitest";
import { createFakeComfy } from "../../../comfy/fake";
import { fakeNodes } from "../../../comfy/fakeNodes";
import { runBatch } from "../runBatch";
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

it("goes on the very link that was there, where two outputs have one name", () => {
  const comfy = twins();
  runBatch(comfy, [insert.with({ to: "2.images", between: { type: "ImageInvert" } })]);
  expect(comfy.node("3")?.inputs[0]?.linkedFrom).toEqual({ node: "1", output: 1, name: "IMAGE" });
  expect(comfy.node("2")?.inputs[0]?.linkedFrom).toMatchObject({ node: "3" });
});
