import { describe, expect, it } from "vitest";
import { runNewWorkflow } from "./runNewWorkflow";
import { type TestCalls, testCalls } from "./testing/testCall";

function calls(): TestCalls {
  const made = testCalls();
  made.comfy.queue.runner = (run) => {
    run.start();
    run.finish({
      status: "success",
      seconds: 1,
      outputs: [
        {
          node: "2",
          type: "SaveImage",
          files: [{ kind: "image", filename: "a.png", subfolder: "", type: "output" }],
          texts: [],
        },
      ],
    });
  };
  return made;
}

const redLines = ["1 EmptyImage width=64 height=64 color=16711680", "2 SaveImage images<1"];

describe("a workflow from a script", () => {
  it("is built in one undo step and run", async () => {
    const made = calls();
    const script = "IMAGE = EmptyImage(width=64, height=64, color='red')\nSaveImage(images=IMAGE)";
    expect(await made.call(runNewWorkflow, { script })).toMatchObject({
      ok: true,
      summary:
        "Built EmptyImage (node 1), SaveImage (node 2). Ran the workflow in 1 s: node 2 gave output/a.png.",
      told: ["status", "seconds", "used", "leftOut", "outputs", "changes"],
      data: { changes: { added: { "1": "EmptyImage", "2": "SaveImage" } } },
    });
    expect(made.lines()).toEqual(redLines);
    expect(made.comfy.undoSteps).toBe(1);
  });

  it.each([
    ["calls inside calls", "SaveImage(EmptyImage(64, 64, 1, color='red'))"],
    ["several statements on a line", "a = EmptyImage(64, height=64, color='#ff0000'); SaveImage(a)"],
    [
      "a fence and a comment",
      "```python\n# red\na = EmptyImage(width=64, height=64, color='red')\nSaveImage(images=a)\n```",
    ],
    ["an output by name", "a = EmptyImage(width=64, height=64, color='red')\nSaveImage(images=a.IMAGE)"],
    [
      "the type of a link in place of a name",
      "EmptyImage(width=64, height=64, color='red')\nSaveImage(images=IMAGE)",
    ],
    ["an input that was left out", "EmptyImage(width=64, height=64, color='red')\nSaveImage()"],
  ])("understands %s", async (_, script) => {
    const made = calls();
    expect(await made.call(runNewWorkflow, { script })).toMatchObject({ ok: true });
    expect(made.lines()).toEqual(redLines);
  });

  it.each([
    ["", "The script is empty."],
    ["EmptyImage(width=64", 'Line 1 of the script has the end of the line where "," or ")" was expected.'],
    ["a = EmptyImage(width=64)", "Nothing was built: no line of the script saves or shows a result."],
    ["a = EmtyImage()\nSaveImage(a)", "Nothing was changed"],
    ["make a red image", 'where "(" was expected'],
  ])("is refused whole: %j", async (script, error) => {
    const made = calls();
    expect(await made.call(runNewWorkflow, { script })).toMatchObject({
      ok: false,
      error: expect.stringContaining(error),
    });
    expect(made.lines().join()).toBe("");
  });

  it("names inputs that grow and that a choice brings, in full or by the row", async () => {
    const calls = testCalls();
    const script = [
      "image = EmptyImage(width=64, height=64)",
      'half = ResizeImageMaskNode(input=image, resize_type="scale by multiplier", resize_type.multiplier=0.5)',
      "both = BatchImagesNode(images.image0=image, images=half)",
      "SaveImage(images=both)",
    ];
    await calls.call(runNewWorkflow, { script: script.join("\n") });
    expect(calls.lines()).toEqual([
      "1 EmptyImage width=64 height=64",
      '2 ResizeImageMaskNode input<1 resize_type="scale by multiplier" resize_type.multiplier=0.5',
      "3 BatchImagesNode images.image0<1 images.image1<2",
      "4 SaveImage images<3",
    ]);
  });

  it("says what was built where the run fails", async () => {
    const made = testCalls();
    made.comfy.queue.runner = (run) =>
      run.finish({ status: "error", outputs: [], error: { node: "1", message: "No memory." } });
    expect(await made.call(runNewWorkflow, { script: "SaveImage(EmptyImage(64, 64))" })).toMatchObject({
      ok: false,
      changes: { added: { "1": "EmptyImage", "2": "SaveImage" }, changed: {}, removed: {} },
      error: expect.stringMatching(
        /^Built EmptyImage \(node 1\), SaveImage \(node 2\)\. Running it failed: .*No memory/,
      ),
    });
  });
});
