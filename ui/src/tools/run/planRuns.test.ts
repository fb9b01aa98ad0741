import { describe, expect, it } from "vitest";
import { executeWorkflow } from "../executeWorkflow";
import { testCalls } from "../testing/testCall";
import { file, success } from "../testing/testRuns";

describe("several runs", () => {
  const sampled = () => testCalls(["KSampler", "VAEDecode", "SaveImage", "EmptyImage"], ["4.IMAGE>3.images"]);
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const valid = () => testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);

  it("try each value, and leave the graph as it was", async () => {
    const { call, comfy, lines } = valid();
    const before = [lines(), comfy.undoSteps];
    const result = await call(executeWorkflow, {
      vary: [{ node: "1", widget: "width", values: ["64", 128] }],
    });
    expect(comfy.queue.runs.map(({ nodes }) => nodes["1"]?.inputs.width)).toEqual([64, 128]);
    expect(result).toMatchObject({
      ok: true,
      summary:
        "2 of 2 runs succeeded. 1.width=64: node 2 gave output/ComfyUI_00001_.png | 1.width=128: node 2 gave output/ComfyUI_00001_.png",
      data: {
        runs: [
          { values: { "1.width": 64 }, status: "success", outputs: [{ node: "2" }] },
          { values: { "1.width": 128 }, status: "success", outputs: [{ node: "2" }] },
        ],
      },
    });
    expect([lines(), comfy.undoSteps]).toEqual(before);
  });

  it("take a color by its name, as an edit does", async () => {
    const { call, comfy } = valid();
    await call(executeWorkflow, { vary: [{ node: "1", widget: "color", values: ["red", "#00ff00"] }] });
    expect(comfy.queue.runs.map(({ nodes }) => nodes["1"]?.inputs.color)).toEqual([0xff0000, 0x00ff00]);
  });

  it("combine everything that varies", async () => {
    const { call, comfy } = valid();
    const result = await call(executeWorkflow, {
      vary: [
        { node: "1", widget: "width", values: [64, 128] },
        { node: "EmptyImage", widget: "height", values: [1, 2] },
      ],
    });
    expect(result).toMatchObject({ data: { varied: ["1.width", "1.height"], columns: 2 } });
    expect(
      comfy.queue.runs.map(({ nodes }) => [nodes["1"]?.inputs.width, nodes["1"]?.inputs.height]),
    ).toEqual([
      [64, 1],
      [64, 2],
      [128, 1],
      [128, 2],
    ]);
  });

  it("are side by side where a single thing varies, with what they have in common told once", async () => {
    const { call, asked } = valid();
    const result = await call(executeWorkflow, {
      vary: [
        { node: "1", widget: "width", values: [64, 128] },
        { node: "1", widget: "height", values: [8] },
      ],
    });
    expect(result).toMatchObject({
      summary:
        "2 of 2 runs succeeded. All had 1.height=8. 1.width=64: node 2 gave output/ComfyUI_00001_.png | 1.width=128: node 2 gave output/ComfyUI_00001_.png",
      told: ["runs", "varied", "columns"],
      data: { varied: ["1.width"] },
    });
    expect(result).not.toHaveProperty("data.columns");
    expect(asked[0]).toMatchObject({ detail: "1.width 64, 128 with 1.height 8." });
  });

  it("try each value once, whichever entries name it", async () => {
    const { call, comfy } = valid();
    await call(executeWorkflow, {
      vary: [
        { node: "1", widget: "width", values: [64, 64] },
        { node: "1", widget: "width", values: ["128", 64] },
      ],
    });
    expect(comfy.queue.runs.map(({ nodes }) => nodes["1"]?.inputs.width)).toEqual([64, 128]);
  });

  it("go through a list of texts, asked about once, each with a line of the result", async () => {
    const { call, comfy, asked } = valid();
    comfy.queue.runner = (run) => run.finish(success([]));
    const values = numbers(50).map((number) => `prompt number ${number} of a file that holds many of them`);
    const result = await call(executeWorkflow, { vary: [{ node: "2", widget: "filename_prefix", values }] });
    expect(comfy.queue.runs.map(({ nodes }) => nodes["2"]?.inputs.filename_prefix)).toEqual(values);
    expect(asked).toMatchObject([{ title: "Run the workflow 50 times?", always: true }]);
    const { others } = (result as { data: { others: string[] } }).data;
    expect(others).toHaveLength(42);
    expect(others.at(-1)).toMatch(/^50\. 2\.filename_prefix=prompt number 50 of a file/);
  });

  it("show as they go on what is made by then", async () => {
    const { call, comfy, progress } = valid();
    comfy.queue.runner = (run) => {
      run.start();
      run.finish(success([{ node: "2", type: "SaveImage", files: [file("image", "a.png")], texts: [] }]));
    };
    await call(executeWorkflow, { vary: [{ node: "1", widget: "width", values: [1, 2] }] });
    expect(progress).toEqual([
      { text: "Run 1 of 2: Running" },
      {
        text: "Run 2 of 2: Running",
        soFar: expect.objectContaining({
          ok: true,
          data: { runs: [expect.objectContaining({ values: { "1.width": 1 } })], varied: ["1.width"] },
        }),
      },
    ]);
  });

  it("give every seed of the workflow the same value", async () => {
    const { call, comfy } = sampled();
    await call(executeWorkflow, { seeds: [7, "8"] });
    expect(comfy.queue.runs.map(({ nodes }) => nodes["1"]?.inputs.seed)).toEqual([7, 8]);
  });

  it("draw as many different seeds as are wished", async () => {
    const { call, comfy } = sampled();
    expect(await call(executeWorkflow, { randomSeeds: 3 })).toMatchObject({ ok: true });
    expect(new Set(comfy.queue.runs.map(({ nodes }) => nodes["1"]?.inputs.seed)).size).toBe(3);
  });

  it("set a value where it lies when the widget is fed by a node of plain values", async () => {
    const { call, comfy } = testCalls(
      ["PrimitiveInt", "EmptyImage", "SaveImage"],
      ["1.INT>2.width", "2.IMAGE>3.images"],
    );
    expect(
      await call(executeWorkflow, { vary: { node: "2", widget: "width", values: [64, 65] } }),
    ).toMatchObject({ data: { runs: [{ values: { "2.width": 64 } }, { values: { "2.width": 65 } }] } });
    expect(comfy.queue.runs.map(({ nodes }) => nodes["1"]?.inputs.value)).toEqual([64, 65]);
  });

  it("run one after the other, each told with its number", async () => {
    const { call, comfy, progress } = valid();
    comfy.queue.runner = (run) => {
      expect(comfy.queue.runs.length).toBe(Number(run.promptId.split("-")[1]));
      run.start();
      setTimeout(() => {
        run.progress("1", 1, 2);
        run.finish(success([]));
      });
    };
    await call(executeWorkflow, { vary: [{ node: "1", widget: "width", values: [1, 2] }] });
    expect(progress.map(({ text }) => text)).toEqual([
      "Run 1 of 2: Running",
      "Run 1 of 2: EmptyImage 50 %",
      "Run 2 of 2: Running",
      "Run 2 of 2: EmptyImage 50 %",
    ]);
  });

  it.each([
    [
      { vary: [{ node: "1", widget: "width", values: [0] }] },
      /0 does not fit width; expected integer 1\.\.16384/,
    ],
    [{ vary: [{ node: "1", widget: "widht", values: [1] }] }, /EmptyImage \(node 1\) has no widget "widht"/],
    [{ vary: [{ node: "2", widget: "images", values: [1] }] }, /comes from node 1 \(EmptyImage\)/],
    [{ seeds: [1] }, /No node that runs has a seed/],
    [
      {
        vary: [
          { node: "1", widget: "width", values: numbers(11) },
          { node: "1", widget: "height", values: numbers(10) },
        ],
      },
      /11 x 10 would be 110 runs; at most 100/,
    ],
    [
      { vary: [{ node: "1", widget: "width", values: numbers(101) }] },
      /These would be 101 runs; at most 100/,
    ],
  ])("are refused before anything runs when they cannot be: %j", async (args, error) => {
    const { call, comfy } = valid();
    expect(await call(executeWorkflow, args)).toMatchObject({
      ok: false,
      error: expect.stringMatching(error),
    });
    expect(comfy.queue.runs).toEqual([]);
  });

  it("end with the second failure in a row, and keep what succeeded", async () => {
    const { call, comfy } = valid();
    comfy.queue.runner = (run) => {
      const error = { node: "1", type: "EmptyImage", message: "boom" };
      if (comfy.queue.runs.length === 1) run.finish(success([]));
      else run.finish({ status: "error", outputs: [], error });
    };
    expect(
      await call(executeWorkflow, { vary: [{ node: "1", widget: "width", values: [1, 2, 3, 4] }] }),
    ).toMatchObject({
      ok: true,
      summary: expect.stringMatching(
        /^1 of 4 runs succeeded, 1 were not begun\. .*Node 1 \(EmptyImage\) failed: boom/,
      ),
      data: { runs: [{ status: "success" }, { status: "failed" }, { status: "failed" }] },
    });
  });

  it("are a failure when none succeeded", async () => {
    const { call } = testCalls(["EmptyImage", "SaveImage"]);
    expect(
      await call(executeWorkflow, {
        vary: [{ node: "2", widget: "filename_prefix", values: ["a", "b", "c"] }],
      }),
    ).toMatchObject({ ok: false, error: expect.stringContaining("2 runs failed") });
  });

  it("begin no further run after a stop", async () => {
    const { call, comfy } = valid();
    const controller = new AbortController();
    comfy.queue.runner = (run) => {
      run.start();
      controller.abort();
    };
    const args = { vary: [{ node: "1", widget: "width", values: [1, 2, 3] }] };
    expect(await call(executeWorkflow, args, controller.signal)).toMatchObject({ ok: false });
    expect(comfy.queue.runs).toHaveLength(1);
    expect(comfy.queue.canceled).toEqual(["prompt-1"]);
  });
});
