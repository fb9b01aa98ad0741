import { describe, expect, it } from "vitest";
import { outline, overlaps } from "../graph/placement";
import { arrangeNodes } from "./arrangeNodes";
import { testCalls } from "./testing/testCall";

function heap() {
  const calls = testCalls(
    ["EmptyImage", "ImageInvert", "SaveImage"],
    ["1.IMAGE>2.image", "2.IMAGE>3.images"],
  );
  calls.comfy.edit((editor) => {
    for (const id of ["1", "2", "3"]) editor.moveNode(id, { x: 50, y: 50 });
  });
  const lefts = () => calls.comfy.graph().nodes.map(({ position }) => position.x);
  return { ...calls, lefts };
}

describe("arranging", () => {
  it("lays the whole graph out in one undo step", async () => {
    const { call, comfy, lefts } = heap();
    const steps = comfy.undoSteps;
    expect(await call(arrangeNodes)).toEqual({
      ok: true,
      summary: "Arranged all 3 nodes.",
      data: { workflow: "Test", moved: 3, groups: 0 },
    });
    expect(lefts()).toEqual([50, 400, 750]);
    expect(comfy.undoSteps).toBe(steps + 1);
  });

  it("moves only what is selected", async () => {
    const { call, comfy, lefts } = heap();
    comfy.select("2", "3");
    expect(await call(arrangeNodes, { nodes: ["selection"] })).toMatchObject({
      summary: expect.stringContaining("Arranged nodes 2, 3."),
    });
    expect(lefts()).toEqual([50, 50, 400]);
  });

  it("says where nodes went that did not fit where they were", async () => {
    const { call, comfy } = heap();
    expect(await call(arrangeNodes, { nodes: ["2", "3"] })).toMatchObject({
      summary: expect.stringMatching(
        /^Arranged nodes 2, 3\. No room there: moved nodes 2, 3 \d+ px (?:up|down|left|right)\.$/,
      ),
    });
    const [first, ...others] = comfy.graph().nodes.map(outline);
    expect(others.some((each) => first && overlaps(each, first))).toBe(false);
  });

  it.each([
    [{ nodes: ["selection"] }, "Nothing is selected."],
    [{ nodes: ["9"] }, /There is no node "9"/],
  ])("refuses %o", async (args, error) => {
    const { call } = heap();
    expect(await call(arrangeNodes, args)).toMatchObject({
      ok: false,
      error: typeof error === "string" ? error : expect.stringMatching(error),
    });
  });

  it("refuses an empty graph", async () => {
    const { call } = testCalls();
    expect(await call(arrangeNodes)).toMatchObject({ ok: false });
  });
});
