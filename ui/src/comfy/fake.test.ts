import { describe, expect, it } from "vitest";
import { comfyBehaviours } from "./behaviours";
import { createFakeComfy } from "./fake";

describe("the fake behaves like the page", () => {
  it.each(comfyBehaviours.map((behaviour) => [behaviour.name, behaviour] as const))(
    "%s",
    async (_, { check }) => {
      await check(createFakeComfy());
    },
  );
});

describe("editing", () => {
  it("makes one undo step of everything that one edit does", () => {
    const comfy = createFakeComfy();
    comfy.edit((editor) => {
      const image = editor.addNode("EmptyImage");
      const save = editor.addNode("SaveImage");
      editor.connect({ node: image, output: 0 }, { node: save, input: 0 });
    });
    expect(comfy.undoSteps).toBe(1);
    comfy.undo();
    expect(comfy.graph().nodes).toEqual([]);
  });

  it("makes no undo step of an edit that changes nothing", () => {
    const comfy = createFakeComfy();
    comfy.edit((editor) => editor.removeNode(editor.addNode("EmptyImage")));
    expect(comfy.undoSteps).toBe(0);
  });
});
