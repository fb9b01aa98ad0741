import { beforeEach, describe, expect, it } from "vitest";
import { createFakeComfy } from "../../comfy/fake";
import { pngOf } from "../../graph/testPictures";
import { getWorkflowInfo } from "../getWorkflowInfo";
import { roomOf } from "../room";
import { setNodeWidgetValue } from "../setNodeWidgetValue";
import { type TestCalls, testCalls } from "../testing/testCall";
import { runTool } from "../tool";
import { look } from "./sight";
import { openWorkflow } from "./sources";

const saved = {
  nodes: [
    {
      id: 2,
      type: "SaveImage",
      inputs: [{ name: "images", type: "IMAGE", link: 1 }],
      widgets_values: ["cat"],
    },
    {
      id: 1,
      type: "EmptyImage",
      outputs: [{ name: "IMAGE", type: "IMAGE", links: [1] }],
      widgets_values: [64, 512, 1, 0],
    },
    { id: 3, type: "LoadImage", widgets_values: ["gone.png", "image"] },
  ],
  links: [[1, 1, 0, 2, 0, "IMAGE"]],
};
const api = { "5": { class_type: "EmptyImage", inputs: { width: 64 } } };
const lines =
  "1 EmptyImage width=64 height=512\n2 SaveImage images<1 filename_prefix=cat\n3 LoadImage image=gone.png(missing)";

/** As frontend 1.58 saves a subgraph of which two widgets are shown. */
const packed = {
  nodes: [
    {
      id: 10,
      type: "a-b",
      inputs: [],
      outputs: [],
      widgets_values: [64, 8],
      widgets_values_named: { width: 64, tall: 8 },
    },
  ],
  links: [],
  definitions: {
    subgraphs: [
      {
        id: "a-b",
        name: "Plain",
        inputs: [
          { id: "1", name: "width", type: "INT", linkIds: [1] },
          { id: "2", name: "tall", type: "INT", linkIds: [2] },
        ],
        outputs: [],
        nodes: [
          {
            id: 1,
            type: "EmptyImage",
            inputs: [
              { name: "width", type: "INT", widget: { name: "width" }, link: 1 },
              { name: "height", type: "INT", widget: { name: "height" }, link: 2 },
            ],
            widgets_values: [64, 8, 1, 0],
          },
        ],
        links: [
          { id: 1, origin_id: -10, origin_slot: 0, target_id: 1, target_slot: 0, type: "INT" },
          { id: 2, origin_id: -10, origin_slot: 1, target_id: 1, target_slot: 1, type: "INT" },
        ],
      },
    ],
  },
};

const text = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

function reading() {
  const many = Array.from({ length: 200 }, (_, id) => ({ ...saved.nodes[1], id, outputs: [] }));
  const comfy = createFakeComfy({
    templates: { portrait: saved, "a-pack:portrait": saved, large: { nodes: many, links: [] } },
    files: {
      "a.json": text(saved),
      "b.png": pngOf({ prompt: JSON.stringify(api) }),
      "big.json": text(saved),
      "packed.json": text(packed),
    },
  });
  comfy.edit((editor) => editor.addNode("ImageInvert"));
  const context = {
    signal: new AbortController().signal,
    onProgress() {},
    confirm: async () => true,
    room: roomOf(),
    readBack: async () => `Look at this:\n${JSON.stringify(saved)}`,
  };
  const read = (args: object, more: object = {}) =>
    runTool(getWorkflowInfo, args, comfy, { ...context, ...more });
  return { comfy, read };
}

describe("a workflow that is not open", () => {
  it.each([
    ["a template of ComfyUI's own", { template: "portrait" }, "portrait", ['the template "portrait"']],
    [
      "a template of a package",
      { template: "a-pack:portrait" },
      "a-pack:portrait",
      ['the template "a-pack:portrait"'],
    ],
    ["a file", { file: "input/a.json" }, "input/a.json", ['the file "input/a.json"']],
    ["what a message holds", { ref: "u3" }, "u3", undefined],
  ])("is read from %s, and nothing is loaded", async (_, args, source, outside) => {
    const { comfy, read } = reading();
    const before = look(comfy);
    expect(await read(args)).toEqual({
      ok: true,
      summary: `Read ${source}, which is not loaded: 3 nodes, 1 links.`,
      data: { source, isLoaded: false, nodes: 3, links: 1, text: lines },
      outside: [...(outside ?? []), openWorkflow],
    });
    expect(look(comfy)).toEqual(before);
  });

  it("is read from the prompt in a picture", async () => {
    expect(await reading().read({ file: "b.png" })).toMatchObject({
      data: { text: "5 EmptyImage width=64" },
    });
  });

  it("tells what a subgraph shows by its names", async () => {
    expect(await reading().read({ file: "packed.json" })).toMatchObject({
      data: { text: expect.stringMatching(/^10 S1 width=64 tall=8\n/) },
    });
  });

  it("is an outline where that is asked for or more does not fit", async () => {
    const { read } = reading();
    const outline = "1 EmptyImage\n2 SaveImage <1\n3 LoadImage";
    expect(await read({ template: "portrait", view: "outline" })).toMatchObject({ data: { text: outline } });
    expect(await read({ template: "large" }, { room: roomOf(1800) })).toMatchObject({
      summary: "Read large, which is not loaded: 200 nodes, 0 links, values left out.",
      data: { view: "outline", text: expect.stringMatching(/^0 EmptyImage\n1 EmptyImage\n/) },
    });
  });

  it.each([
    ["two at once", { template: "portrait", file: "a.json" }],
    ["nodes of it", { template: "portrait", nodeIds: ["1"] }],
    ["what changed in it", { template: "portrait", view: "changes" }],
    ["a tab", { template: "portrait", tab: "Test" }],
    ["a file that is nowhere", { file: "c.json" }],
    ["a template that is none", { template: "landscape" }],
  ])("is refused with %s", async (_, args) => {
    expect(await reading().read(args)).toMatchObject({ ok: false });
  });

  it("is nothing that an edit could be planned on", async () => {
    const { comfy, read } = reading();
    await read({ template: "portrait" });
    expect(comfy.workflow().name).toBe("Test");
    expect(await read({ view: "changes" })).toMatchObject({
      data: { text: expect.stringMatching(/^1 ImageInvert/) },
    });
  });
});

describe("another open workflow", () => {
  let calls: TestCalls;
  beforeEach(() => {
    calls = testCalls(["EmptyImage"]);
    calls.comfy.addTab({ key: "workflows/Portrait.json", name: "Portrait", isModified: false });
  });

  it("is counted where there are many", async () => {
    for (let count = 1; count < 11; count++)
      calls.comfy.addTab({ key: `workflows/${count}.json`, name: `${count}`, isModified: false });
    const { data } = (await calls.call(getWorkflowInfo)) as { data: { otherTabs: string[] } };
    expect([data.otherTabs.length, data.otherTabs.at(-1)]).toEqual([9, "and 3 more"]);
  });

  it("is listed, and gone to by its name", async () => {
    expect(await calls.call(getWorkflowInfo)).toMatchObject({
      data: { workflow: "Test", otherTabs: ["Portrait (1 nodes)"] },
    });
    expect(await calls.call(getWorkflowInfo, { tab: "portrait" })).toMatchObject({
      summary: expect.stringMatching(
        /^"Portrait" is open now, for the person too \("Test" was\)\. Read "Portrait": /,
      ),
      data: { workflow: "Portrait", otherTabs: ["Test (1 nodes)"] },
    });
    expect(await calls.call(getWorkflowInfo, { tab: "portrait" })).toMatchObject({
      summary: expect.stringMatching(/^Read "Portrait": /),
    });
    expect(await calls.call(setNodeWidgetValue, { node: "1", widget: "width", value: 8 })).toMatchObject({
      ok: true,
      data: { workflow: "Portrait" },
    });
  });

  it("is none of another name", async () => {
    expect(await calls.call(getWorkflowInfo, { tab: "Landscape" })).toMatchObject({
      ok: false,
      hint: 'Open: "Test", "Portrait".',
    });
  });
});

it("is named where an edit names a node that the open workflow does not have", async () => {
  const calls = testCalls(["EmptyImage"]);
  const refused = () => calls.call(setNodeWidgetValue, { node: "56", widget: "width", value: 8 });
  expect(JSON.stringify(await refused())).not.toContain("with tab");
  calls.comfy.addTab({ key: "workflows/Portrait.json", name: "Portrait", isModified: false });
  expect(await refused()).toMatchObject({
    ok: false,
    hint: expect.stringContaining('Open is "Test"; getWorkflowInfo with tab goes to "Portrait".'),
  });
  const misspelled = await calls.call(setNodeWidgetValue, { node: "1", widget: "widths", value: 8 });
  expect(misspelled).toMatchObject({ ok: false, sendInstead: { widget: "width" } });
  expect(JSON.stringify(misspelled)).not.toContain("with tab");
});
