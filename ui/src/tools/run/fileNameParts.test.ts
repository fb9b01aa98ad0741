import { describe, expect, it } from "vitest";
import type { Json } from "../../graph/graph";
import type { PromptNodes } from "../../graph/prompt";
import { executeWorkflow } from "../executeWorkflow";
import { testCalls } from "../testing/testCall";
import { fileNameParts, withNamePart } from "./fileNameParts";

const partsOf = (...runs: Record<string, Json>[]) =>
  fileNameParts(runs.map((values) => ({ changes: [], values })));

describe("the part that a file's name gets", () => {
  it.each<[string, Record<string, Json>[], string[]]>([
    ["is the widget's value", [{ "3.cfg": 7 }, { "3.cfg": 7.5 }], ["cfg-7", "cfg-7.5"]],
    ["keeps a sign", [{ "3.shift": -1 }, { "3.shift": 1 }], ["shift--1", "shift-1"]],
    [
      "leaves out what all have",
      [
        { "3.cfg": 7, seed: 1 },
        { "3.cfg": 7, seed: 2 },
      ],
      ["seed-1", "seed-2"],
    ],
    ["is what a single run has beside the graph", [{ seed: 5 }], ["seed-5"]],
    [
      "names the node where two have the widget",
      [
        { "3.steps": 4, "9.steps": 5 },
        { "3.steps": 8, "9.steps": 6 },
      ],
      ["3.steps-4_9.steps-5", "3.steps-8_9.steps-6"],
    ],
    [
      "is a text itself, to the end of a word",
      [{ "6.text": "a red fox in snow, seen from very far away" }, { "6.text": "füchse, 狐" }],
      ["a-red-fox-in-snow-seen-from", "füchse-狐"],
    ],
    [
      "holds nothing that a file system or a placeholder is made of, and the widget of an empty text",
      [{ "6.text": '../a\\b:c*?"<>|%date%\n.' }, { "4.ckpt_name": "sd/v1.safetensors" }].map((values) => ({
        "6.text": "",
        "4.ckpt_name": "",
        ...values,
      })),
      ["a-b-c-date_ckpt_name", "text_sd-v1.safetensors"],
    ],
    [
      "tells apart by number what would be alike, capitals aside",
      [{ "6.text": "Fox!" }, { "6.text": "fox" }, { "6.text": "owl" }],
      ["Fox-1", "fox-2", "owl"],
    ],
  ])("%s", (_, runs, parts) => {
    expect(partsOf(...runs)).toEqual(parts);
  });

  it("stays within what a file system takes", () => {
    const long = "狐".repeat(500);
    for (const part of partsOf(
      { "1.a": long, "1.b": long, "1.c": long },
      { "1.a": "x", "1.b": "y", "1.c": "z" },
    ))
      expect(new TextEncoder().encode(part).length).toBeLessThanOrEqual(200);
  });
});

describe("the files of runs with values of their own", () => {
  const saved = (prefix?: string) => {
    const calls = testCalls(
      ["EmptyImage", "SaveImage", "EmptyImage", "SaveImage"],
      ["1.IMAGE>2.images", "3.IMAGE>4.images"],
    );
    if (prefix !== undefined) calls.comfy.edit((editor) => editor.setWidget("2", "filename_prefix", prefix));
    return calls;
  };
  const vary = [{ node: "1", widget: "width", values: [64, 128] }];
  const prefixesOf = ({ comfy }: ReturnType<typeof saved>, node: string) =>
    comfy.queue.runs.map(({ nodes }) => nodes[node]?.inputs.filename_prefix);

  it.each([
    [undefined, ["ComfyUI_width-64", "ComfyUI_width-128"]],
    ["%date%/fox", ["%date%/fox_width-64", "%date%/fox_width-128"]],
    ["cats/", ["cats_width-64", "cats_width-128"]],
    ["", ["width-64", "width-128"]],
  ])("say which value they have, behind the prefix %o, in what is sent alone", async (prefix, sent) => {
    const calls = saved(prefix);
    const before = calls.lines();
    await calls.call(executeWorkflow, { vary });
    expect(prefixesOf(calls, "2")).toEqual(sent);
    expect(prefixesOf(calls, "4")).toEqual(["ComfyUI", "ComfyUI"]);
    expect(calls.lines()).toEqual(before);
  });

  it("keep a prefix that is varied itself", async () => {
    const calls = saved();
    await calls.call(executeWorkflow, {
      vary: [{ node: "2", widget: "filename_prefix", values: ["a", "b"] }],
    });
    expect(prefixesOf(calls, "2")).toEqual(["a", "b"]);
  });

  it("keep a prefix that is linked", () => {
    const nodes: PromptNodes = {
      "1": { class_type: "EmptyImage", inputs: { width: 64 } },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: ["3", 0] } },
    };
    const { comfy } = saved();
    const changes = [{ node: "1", input: "width", value: 8 }];
    expect(withNamePart(nodes, changes, "width-8", (type) => comfy.nodeDefinition(type))).toEqual(nodes);
  });

  it("are named as ever where the graph runs as it is", async () => {
    const calls = saved();
    await calls.call(executeWorkflow);
    expect(prefixesOf(calls, "2")).toEqual(["ComfyUI"]);
  });
});
