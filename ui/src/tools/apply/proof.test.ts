import { describe, expect, it } from "vitest";
import type { Comfy } from "../../comfy/bridge";
import { touchedBy } from "../../graph/compact/asked";
import { parseCompact } from "../../graph/compact/parse";
import type { Json } from "../../graph/graph";
import type { PromptNodes } from "../../graph/prompt";
import { differenceWords } from "../../graph/promptDifferences";
import type { JsonObject } from "../../graph/uiWorkflow";
import { applyWorkflow } from "../applyWorkflow";
import { testCalls } from "../testing/testCall";
import { unasked, unfed } from "./proof";

const lines = [
  "1 EmptyImage width=64 height=32",
  "2 ImageScaleBy image<1 scale_by=2",
  "3 SaveImage images<2 filename_prefix=mine",
];

/** A page in which nodes of these types take their list of values for one of another order, in each load others. */
async function shiftingCalls(...typesByLoad: string[][]) {
  const calls = testCalls([]);
  await calls.call(applyWorkflow, { workflow: lines.join("\n") });
  const { load } = calls.comfy.whole;
  let times = 0;
  calls.comfy.whole.load = (workflow, options) => {
    const shifted = structuredClone(workflow) as JsonObject & {
      nodes: { type: string; widgets_values: unknown[] }[];
    };
    const types = typesByLoad[times++] ?? [];
    for (const node of shifted.nodes) if (types.includes(node.type)) node.widgets_values.reverse();
    return load(shifted, options);
  };
  return calls;
}

describe("what was built", () => {
  it("is taken back where it runs otherwise what the lines leave alone", async () => {
    const calls = await shiftingCalls(["EmptyImage"]);
    const before = JSON.stringify(calls.comfy.whole.read().workflow);
    const result = await calls.call(applyWorkflow, {
      workflow: [lines[0], lines[1], "3 SaveImage images<2 filename_prefix=other"].join("\n"),
    });
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).toContain("1.height: 32 → ");
    expect(JSON.stringify(calls.comfy.whole.read().workflow)).toBe(before);
  });

  it("stays where ComfyUI loads its own workflow otherwise in the same way, and that is told", async () => {
    const calls = await shiftingCalls(["EmptyImage"], ["EmptyImage"], ["EmptyImage"]);
    const result = await calls.call(applyWorkflow, {
      workflow: [lines[0], lines[1], "3 SaveImage images<2 filename_prefix=other"].join("\n"),
    });
    expect(result).toMatchObject({ ok: true });
    expect(result.ok && result.summary).toContain(
      "ComfyUI itself loads otherwise what was open: 1.width: 64 → ",
    );
    expect((await calls.comfy.queue.prompt()).nodes["3"]?.inputs.filename_prefix).toBe("other");
  });

  it("leaves no value behind that ComfyUI does not load again as it was", async () => {
    const calls = await shiftingCalls(["EmptyImage", "ImageScaleBy"], ["EmptyImage"]);
    const before = (await calls.comfy.queue.prompt()).nodes;
    const result = await calls.call(applyWorkflow, {
      workflow: [lines[0], lines[1], "3 SaveImage images<2 filename_prefix=other"].join("\n"),
    });
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).toContain("The workflow is as it was: ");
    expect((await calls.comfy.queue.prompt()).nodes).toEqual(before);
  });

  it("is taken back where another value of a node that the lines change runs otherwise", async () => {
    const calls = await shiftingCalls(["EmptyImage"]);
    const result = await calls.call(applyWorkflow, {
      workflow: ["1 EmptyImage width=96 height=32", ...lines.slice(1)].join("\n"),
    });
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).toContain("1.height: 32 → ");
  });
});

describe("what is put beside", () => {
  it("is taken back where what was there runs otherwise", async () => {
    const calls = await shiftingCalls(["EmptyImage"]);
    const before = JSON.stringify(calls.comfy.whole.read().workflow);
    const result = await calls.call(applyWorkflow, {
      workflow: "1 ImageScaleBy scale_by=3",
      mode: "insert",
    });
    expect(result).toMatchObject({ ok: false });
    expect(JSON.stringify(result)).toContain("1.height: 32 → ");
    expect(JSON.stringify(calls.comfy.whole.read().workflow)).toBe(before);
  });

  it("stays where all that was there runs as before", async () => {
    const calls = await shiftingCalls([]);
    const result = await calls.call(applyWorkflow, {
      workflow: "1 ImageScaleBy scale_by=3",
      mode: "insert",
    });
    expect(result).toMatchObject({ ok: true });
  });
});

describe("what is run otherwise", () => {
  const image = { class_type: "EmptyImage", inputs: {} };
  const invert = (from: string, value = 1) => ({
    class_type: "Invert",
    inputs: { image: [from, 0], value } as Record<string, Json>,
  });
  /** The differences that nobody asked for, where `lines` became `written` and the prompt `was` became `is`. */
  const found = async (lines: string[], written: string[], was: PromptNodes, is: PromptNodes) => {
    const [before, after] = [parseCompact(lines.join("\n")), parseCompact(written.join("\n"))];
    const queue = { prompt: async () => ({ nodes: is, workflow: {} }) };
    const asked = { before, written: after, touched: touchedBy(after, before) };
    return (await unasked({ queue } as unknown as Comfy, was, asked)).map(differenceWords);
  };
  const two = { "1": image, "2": image };

  it("is a link that moved, though a node that is never run says something else", async () => {
    const nodes = ["1 EmptyImage", "2 EmptyImage", "3 Invert image<1 value=1"];
    for (const [was, is] of [
      ["4 Note text=old", "4 Note text=new"],
      ["4 Reroute <1", "4 Reroute <2"],
      ["4 Invert muted image<1", "4 Invert muted image<2"],
    ] as const)
      expect(
        await found(
          [...nodes, was],
          [...nodes, is],
          { ...two, "3": invert("1") },
          { ...two, "3": invert("2") },
        ),
      ).toEqual(["3.image: 1.0 → 2.0"]);
  });

  it("is not what comes over a node that hands on, where that takes something else", async () => {
    const lines = (reroute: string) => [
      "1 EmptyImage",
      "2 EmptyImage",
      reroute,
      "5 Reroute <4",
      "3 Invert image<5",
    ];
    expect(
      await found(
        lines("4 Reroute <1"),
        lines("4 Reroute <2"),
        { ...two, "3": invert("1") },
        { ...two, "3": invert("2") },
      ),
    ).toEqual([]);
  });

  it("is not a value that is handed on", async () => {
    const lines = (value: number) => [
      `4 PrimitiveNode value=${value}`,
      "1 EmptyImage",
      "3 Invert image<1 value<4",
    ];
    expect(
      await found(lines(1), lines(2), { ...two, "3": invert("1", 1) }, { ...two, "3": invert("1", 2) }),
    ).toEqual([]);
  });

  it("is another link of a node of which the lines change a value", async () => {
    const lines = (value: number) => ["1 EmptyImage", "2 EmptyImage", `3 Invert image<1 value=${value}`];
    expect(
      await found(lines(1), lines(2), { ...two, "3": invert("1", 1) }, { ...two, "3": invert("2", 2) }),
    ).toEqual(["3.image: 1.0 → 2.0"]);
  });

  it("is told apart in a subgraph from what has the same number outside", async () => {
    const lines = (value: number) => [
      "1 EmptyImage",
      "2 EmptyImage",
      "3 Invert image<1 value=1",
      "6 S1 image<1",
      "",
      'subgraph S1 "Inside" in(image) out(IMAGE<3)',
      `3 Invert image<input value=${value}`,
      "end",
    ];
    const run = (outer: string, inner: number) => ({
      ...two,
      "3": invert(outer),
      "6:3": invert("1", inner),
    });
    expect(await found(lines(1), lines(2), run("1", 1), run("2", 2))).toEqual(["3.image: 1.0 → 2.0"]);
  });

  it("is not what comes into a subgraph, where its node takes something else", async () => {
    const lines = (source: string) => [
      "1 EmptyImage",
      "2 EmptyImage",
      `6 S1 image<${source}`,
      "",
      'subgraph S1 "Inside" in(image) out(IMAGE<3)',
      "3 Invert image<input value=1",
      "end",
    ];
    expect(
      await found(lines("1"), lines("2"), { ...two, "6:3": invert("1") }, { ...two, "6:3": invert("2") }),
    ).toEqual([]);
  });

  it("is not another output of a subgraph that the lines name", async () => {
    const lines = (inner: string) => [
      "6 S1",
      "7 Invert image<6 value=1",
      "",
      `subgraph S1 "Inside" in() out(IMAGE<${inner})`,
      "1 EmptyImage",
      "2 EmptyImage",
      "end",
    ];
    const run = (source: string) => ({ "6:1": image, "6:2": image, "7": invert(source) });
    expect(await found(lines("1"), lines("2"), run("6:1"), run("6:2"))).toEqual([]);
  });

  it("is what a pack hands on without a wire, unless what it has heard of was touched", async () => {
    const lines = (source: string, text: string) => [
      ...["1 EmptyImage", "2 EmptyImage", `4 Everywhere anything<${source}`, "3 Invert value=1"],
      `5 Note text=${text}`,
    ];
    const run = [
      { ...two, "3": invert("1") },
      { ...two, "3": invert("2") },
    ] as const;
    expect(await found(lines("1", "old"), lines("1", "new"), ...run)).toEqual(["3.image: 1.0 → 2.0"]);
    expect(await found(lines("1", "old"), lines("2", "old"), ...run)).toEqual([]);
  });
});

describe("what lines touch", () => {
  it.each([
    ["nothing", lines, []],
    ["a value", [lines[0], "2 ImageScaleBy image<1 scale_by=3", lines[2]], ["2"]],
    ["a link", [lines[0], lines[1], "3 SaveImage images<1 filename_prefix=mine"], ["3"]],
    ["a mode", [lines[0], "2 ImageScaleBy bypassed image<1 scale_by=2", lines[2]], ["2"]],
    ["a node that is new or gone", [lines[0], "4 ImageInvert image<1"], ["2", "3", "4"]],
  ])("%s", (_, after, touched) => {
    const found = touchedBy(parseCompact(after.join("\n")), parseCompact(lines.join("\n")));
    expect([...found.keys()]).toEqual(touched);
  });
});

it("An input is unfed that is linked from an active node and is not in the prompt", () => {
  const workflow = parseCompact("1 Image\n2 Get\n3 Invert image<2 mask<1\n4 Invert muted\n5 Invert image<4");
  const prompt = {
    "3": { class_type: "Invert", inputs: { mask: ["1", 0] } },
    "5": { class_type: "Invert", inputs: {} },
  };
  expect(unfed(workflow, prompt)).toEqual(["3.image"]);
});
