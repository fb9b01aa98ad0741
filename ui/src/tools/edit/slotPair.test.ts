import { expect, it } from "vitest";
import { fakeNodes } from "../../comfy/fakeNodes";
import { edit } from "../testing/editCalls";
import { testCalls } from "../testing/testCall";

it.each([
  ["connect", { from: "1", to: "2" }, "Name both slots, such as 1.CONDITIONING and 2.positive."],
  ["add", { type: "CLIPTextEncode", inputs: { clip: "3" } }, undefined],
  ["add", { type: "ImageInvert", inputs: { image: "4" } }, 'Say which: inputs {"image":"4.first"}.'],
])("%s of several slots that fit says how one is written", async (op, fields, hint) => {
  const image = (name: string) => ({ name, type: "IMAGE" });
  const calls = testCalls(
    ["CLIPTextEncode", "KSampler", "CheckpointLoaderSimple"],
    [],
    [
      ...fakeNodes,
      {
        ...{ type: "Split", title: "", category: "", description: "", isOutput: false, inputs: [] },
        outputs: [image("first"), image("second")],
      },
    ],
  );
  calls.comfy.edit((editor) => editor.addNode("Split"));
  expect(await edit(calls, { op, ...fields })).toMatchObject(hint ? { ok: false, hint } : { ok: true });
});
