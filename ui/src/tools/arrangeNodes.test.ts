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
      summary: "Arranged all 3 nodes. 270x210 → 970x210.",
      data: { workflow: "Test", moved: 2, groups: 0 },
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
        /^Arranged nodes 2, 3\. No room there: moved nodes 2, 3 \d+ px (?:up|down|left|right)\. Nodes 2, 3: 270 → 620 wide\.$/,
      ),
    });
    const [first, ...others] = comfy.graph().nodes.map(outline);
    expect(others.some((each) => first && overlaps(each, first))).toBe(false);
  });

  it("moves nothing that is in order, says so and shows it", async () => {
    const { call, comfy } = heap();
    await call(arrangeNodes);
    const steps = comfy.undoSteps;
    expect(await call(arrangeNodes)).toMatchObject({
      summary: "Left all as they are, 970x210: it is in order.",
      data: { moved: 0 },
    });
    expect(comfy.undoSteps).toBe(steps);
    expect(comfy.seen.at(-1)).toEqual({ nodes: ["1", "2", "3"], always: true });
  });

  it("says what it left as it was", async () => {
    const { call, comfy } = heap();
    comfy.edit((editor) => {
      editor.moveNode("2", { x: 322, y: 200 });
      editor.moveNode("3", { x: 594, y: 50 });
    });
    expect(await call(arrangeNodes, { nodes: ["1", "2"] })).toMatchObject({
      ok: true,
      summary: "Left nodes 1, 2 as before: it is in order.",
      data: { moved: 0 },
    });
  });

  it("says what is still odd about what it left as it was", async () => {
    const { call, comfy } = heap();
    comfy.edit((editor) => {
      editor.moveNode("1", { x: 50, y: 270 });
      editor.moveNode("2", { x: 300, y: 50 });
      editor.moveNode("3", { x: 594, y: 50 });
    });
    expect(await call(arrangeNodes, { nodes: ["1", "2"] })).toMatchObject({
      summary: expect.stringMatching(
        /would not make the wires clearly shorter\. Still, 1 wire runs back, 1 → 2 by 20 px\.$/,
      ),
      data: { moved: 0 },
    });
  });

  it("tells apart what it arranged and what made room for that", async () => {
    const walls = [
      [-620, -900, 600, 2000],
      [420, -900, 600, 2000],
      [0, -900, 400, 880],
      [0, 420, 400, 680],
    ] as const;
    const { call, comfy } = testCalls(
      ["EmptyImage", "ImageInvert", "SaveImage", ...walls.map(() => "EmptyImage")],
      ["1.IMAGE>2.image", "2.IMAGE>3.images"],
    );
    comfy.edit((editor) => {
      for (const id of ["1", "2", "3"]) editor.moveNode(id, { x: 10, y: 80 });
      editor.addGroup("Heap", ["1", "2", "3"]);
      editor.placeGroup(0, { x: 0, y: 10, width: 400, height: 380 });
      for (const [index, [x, y, width, height]] of walls.entries()) {
        editor.moveNode(`${index + 4}`, { x: x + 20, y: y + 100 });
        editor.addGroup(`Wall ${index}`, [`${index + 4}`]);
        editor.placeGroup(index + 1, { x, y, width, height });
      }
    });
    expect(await call(arrangeNodes, { nodes: ["Heap"] })).toMatchObject({
      summary: expect.stringMatching(/^Arranged nodes 2, 3\. To make room for that, moved nodes? /),
    });
  });

  it("says what leaves a heap no room", async () => {
    const { call, comfy } = testCalls(["EmptyImage", "ImageInvert", "SaveImage"], ["1.IMAGE>2.image"]);
    comfy.edit((editor) => {
      for (const id of ["1", "2"]) editor.moveNode(id, { x: 10, y: 80 });
      editor.moveNode("3", { x: 150, y: 100 });
      editor.addGroup("Heap", ["1", "2"]);
      editor.addGroup("Around", ["3"]);
      editor.placeGroup(1, { x: -900, y: -900, width: 2000, height: 2000 });
    });
    expect(await call(arrangeNodes, { nodes: ["Heap"] })).toMatchObject({
      summary: expect.stringMatching(/what lies on it or around it leaves no room\. Still, 1 wire runs back/),
    });
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
