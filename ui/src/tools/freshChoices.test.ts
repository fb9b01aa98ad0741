import { beforeEach, describe, expect, it } from "vitest";
import { createFakeComfy } from "../comfy/fake";
import { applyWorkflow } from "./applyWorkflow";
import { editWorkflow } from "./editWorkflow";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { setNodeWidgetValue } from "./setNodeWidgetValue";
import { callsOn, type TestCalls, testCalls } from "./testing/testCall";
import { validateWorkflow } from "./validateWorkflow";

const photo = { node: "1", widget: "image", value: "photo.png" };

let calls: TestCalls;
beforeEach(() => {
  calls = testCalls(["LoadImage", "SaveImage"], ["1.IMAGE>2.images"]);
});

describe("a file that came to the server since the page was loaded", () => {
  beforeEach(() => calls.comfy.putFile("LoadImage", "image", "photo.png"));

  it.each([
    ["a value", setNodeWidgetValue, photo],
    ["a batch", editWorkflow, { operations: [{ op: "set", nodes: ["1"], widgets: { image: "photo.png" } }] }],
    [
      "a batch with other faults at first",
      editWorkflow,
      {
        operations: [
          { op: "set", nodes: ["1"], widgets: { image: "photo.png" } },
          { op: "add", type: "LoadImage", widgets: { image: "photo.png" } },
        ],
      },
    ],
    ["a whole workflow", applyWorkflow, { workflow: "1 LoadImage image=photo.png" }],
  ])("is taken in %s", async (_, tool, args) => {
    expect(await calls.call(tool, args)).toMatchObject({ ok: true });
    expect(calls.lines()[0]).toMatch(/^1 LoadImage image=photo\.png/);
  });

  it("is none of the problems, and not told as missing", async () => {
    calls.comfy.edit((editor) => editor.setWidget("1", "image", "photo.png"));
    expect(await calls.call(validateWorkflow)).toMatchObject({ ok: true, data: { problems: [] } });
    expect(await calls.call(getWorkflowInfo)).toMatchObject({
      data: { text: expect.not.stringContaining("missing") },
    });
  });

  it("is among the choices that are told of a node", async () => {
    expect(await calls.call(getWorkflowInfo, { nodeIds: ["1"] })).toMatchObject({
      data: { text: expect.stringContaining("photo.png") },
    });
  });
});

it("sends nobody to model folders for a picture that is nowhere", async () => {
  const refused = await calls.call(setNodeWidgetValue, photo);
  expect(refused).toMatchObject({ ok: false, error: expect.stringContaining("lists no file") });
  expect(JSON.stringify(refused)).not.toContain("getAvailableModels");
});

describe("a picture that a run has made", () => {
  const withOutput = () => {
    const files = { "made.png": new Uint8Array([1]) };
    const comfy = createFakeComfy({ files });
    comfy.edit((editor) => editor.addNode("LoadImage"));
    comfy.putFile("LoadImage", "image", "photo.png");
    return callsOn(comfy);
  };

  it.each([
    ["output/made.png", "made.png [output]"],
    ["output/cats/made.png", "cats/made.png [output]"],
    ["made.png [output]", "made.png [output]"],
    ["temp/made.png", "made.png [temp]"],
    ["made.png", "made.png [output]"],
    ["photo.png", "photo.png"],
  ])("is taken as %s", async (value, held) => {
    const { call, comfy } = withOutput();
    expect(await call(setNodeWidgetValue, { ...photo, value })).toMatchObject({ ok: true });
    expect(comfy.node("1")?.widgets[0]?.value).toBe(held);
    const operations = [{ op: "add", type: "LoadImage", widgets: { image: value } }];
    expect(await call(editWorkflow, { operations })).toMatchObject({ ok: true });
  });

  it("is refused where there is none of that name, also where the input folder has one", async () => {
    const { call } = withOutput();
    for (const value of ["output/other.png", "other.png", "output/photo.png"])
      expect(await call(setNodeWidgetValue, { ...photo, value })).toMatchObject({ ok: false });
  });
});
