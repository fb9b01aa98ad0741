import { expect, it } from "vitest";
import { addNode } from "../addNode";
import { edit } from "../testing/editCalls";
import { testCalls } from "../testing/testCall";

const first = "Not chosen by anybody: 1.ckpt_name=sd15/base.safetensors, the first of 2 files.";
const data = { notChosen: ["1.ckpt_name=sd15/base.safetensors, the first of 2 files"] };
const add = { op: "add", type: "CheckpointLoaderSimple" };

it("tells of a new node's file that it is only the first of its list", async () => {
  const result = await edit(testCalls([]), add);
  expect(result).toMatchObject({ summary: expect.stringContaining(first), data });
  expect(await testCalls([]).call(addNode, { type: add.type })).toMatchObject({
    summary: expect.stringContaining(first),
    data,
  });
});

it("does not where the file was named, though it is the first, or is another", async () => {
  for (const ckpt_name of ["sd15/base.safetensors", "sdxl.safetensors"]) {
    const result = await edit(testCalls([]), { ...add, widgets: { ckpt_name } });
    expect(result).not.toHaveProperty("data.notChosen");
  }
  const later = { op: "set", nodes: ["a"], widgets: { ckpt_name: "sd15/base.safetensors" } };
  expect(await edit(testCalls([]), { ...add, as: "a" }, later)).not.toHaveProperty("data.notChosen");
});

it("tells of it where a node takes the part of another of a kind without that file", async () => {
  const calls = testCalls(["EmptyImage"]);
  expect(await edit(calls, { op: "replace", nodes: ["1"], type: add.type })).toMatchObject({ data });
});

it("says nothing of nodes that were there, nor of choices that are no files", async () => {
  const calls = testCalls(["CheckpointLoaderSimple"]);
  expect(await edit(calls, { op: "title", nodes: ["1"], title: "Mine" })).not.toHaveProperty(
    "data.notChosen",
  );
  expect(await edit(calls, { op: "add", type: "KSampler" })).not.toHaveProperty("data.notChosen");
});
