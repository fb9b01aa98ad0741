import { describe, expect, it } from "vitest";
import { parseCompact } from "../../graph/compact/parse";
import type { JsonObject } from "../../graph/uiWorkflow";
import { applyWorkflow } from "../applyWorkflow";
import { testCalls } from "../testing/testCall";
import { touchedBy, unfed } from "./proof";

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
