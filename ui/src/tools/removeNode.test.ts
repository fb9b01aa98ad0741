import { describe, expect, it } from "vitest";
import { removeNode } from "./removeNode";
import { testCalls } from "./testing/testCall";

const chain = () =>
  testCalls(["EmptyImage", "ImageInvert", "SaveImage"], ["1.IMAGE>2.image", "2.IMAGE>3.images"]);

describe("removing a node", () => {
  it("tells the links that go with it, and what is joined past it", async () => {
    const { call, lines } = chain();
    expect(await call(removeNode, { node: "2" })).toEqual({
      ok: true,
      summary: "Removed ImageInvert (node 2) and its 2 links. Joined: 3.images<1.IMAGE.",
      told: ["changes", "id", "type"],
      data: {
        workflow: "Test",
        id: "2",
        type: "ImageInvert",
        removedLinks: ["1.IMAGE to 2.image", "2.IMAGE to 3.images"],
        changes: { added: {}, changed: { "3": "SaveImage images<2→1" }, removed: { "2": "ImageInvert" } },
      },
    });
    expect(lines()).toEqual(["1 EmptyImage", "3 SaveImage images<1"]);
  });

  it.each([["2"], [2], ["#2"], ["node 2"], ["Invert Image"], ["ImageInvert"], ["imageinvert"]])(
    "finds the node as %s",
    async (node) => {
      const { call } = chain();
      expect(await call(removeNode, { node })).toMatchObject({ ok: true, data: { id: "2" } });
    },
  );

  it("refuses a node that is not there, naming those that are", async () => {
    const { call, comfy } = chain();
    expect(await call(removeNode, { node: "7" })).toEqual({
      ok: false,
      error: 'There is no node "7" in the open graph.',
      hint: "Nodes: 1 EmptyImage, 2 ImageInvert, 3 SaveImage.",
    });
    expect(comfy.graph().nodes).toHaveLength(3);
  });

  it("refuses a name that fits several nodes, naming them", async () => {
    const { call, comfy } = testCalls(["EmptyImage", "EmptyImage"]);
    comfy.edit((editor) => editor.addNode("EmptyImage", { title: "mine" }));
    expect(await call(removeNode, { node: "EmptyImage" })).toEqual({
      ok: false,
      error: '"EmptyImage" fits 2 nodes: 1 EmptyImage, 2 EmptyImage.',
      hint: "Use the id.",
    });
  });

  it("is one undo step", async () => {
    const { call, comfy } = chain();
    const steps = comfy.undoSteps;
    await call(removeNode, { node: "2" });
    expect(comfy.undoSteps).toBe(steps + 1);
    comfy.undo();
    expect(
      comfy
        .graph()
        .nodes.flatMap((node) => node.inputs)
        .filter((input) => input.linkedFrom),
    ).toHaveLength(2);
  });
});
