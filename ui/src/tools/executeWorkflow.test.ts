import { describe, expect, it, vi } from "vitest";
import type { FakeRun } from "../comfy/fakeQueue";
import { applyWorkflow } from "./applyWorkflow";
import { executeWorkflow } from "./executeWorkflow";
import { testCalls } from "./testing/testCall";
import { file, redImage, success } from "./testing/testRuns";

describe("running the workflow", () => {
  it("leaves in its data what the summary has no room for", async () => {
    const { call, comfy } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    const file = { kind: "image" as const, subfolder: "", type: "output" };
    const files = [1, 2, 3, 4, 5].map((number) => ({ ...file, filename: `${number}.png` }));
    comfy.queue.runner = (run) =>
      run.finish({ status: "success", outputs: [{ node: "2", type: "SaveImage", files, texts: [] }] });
    const result = await call(executeWorkflow);
    expect(result.ok && result.told).toEqual(["status", "seconds", "used", "leftOut"]);
  });

  it("gives the files of every output node as tools take them", async () => {
    const { call, comfy } = redImage();
    comfy.queue.runner = (run) => {
      run.start();
      run.finish(
        success([
          { node: "2", type: "SaveImage", files: [file("image", "red_00001_.png", "sub")], texts: [] },
        ]),
      );
    };
    expect(await call(executeWorkflow)).toEqual({
      ok: true,
      summary: "Ran the workflow in 1.23 s: node 2 gave output/sub/red_00001_.png.",
      told: ["status", "seconds", "used", "leftOut", "outputs"],
      data: {
        workflow: "Test",
        status: "success",
        seconds: 1.23,
        outputs: [
          {
            node: "2",
            type: "SaveImage",
            files: [
              {
                kind: "image",
                filename: "output/sub/red_00001_.png",
              },
            ],
          },
        ],
      },
    });
  });

  it("gives texts, cut where they are long", async () => {
    const { call, comfy } = testCalls(["EmptyImage", "PreviewAny"], ["1.IMAGE>2.source"]);
    comfy.queue.runner = (run) => {
      run.finish(success([{ node: "2", type: "PreviewAny", files: [], texts: ["x".repeat(5000)] }]));
    };
    const result = await call(executeWorkflow);
    expect(JSON.stringify(result).length).toBeLessThan(2500);
    expect(result).toMatchObject({
      ok: true,
      summary: `Ran the workflow in 1.23 s: node 2 gave "${"x".repeat(80)}…".`,
    });
  });

  it("names a node for which the memory was too small, with what makes it fit", async () => {
    const { call, comfy } = redImage();
    const error = {
      node: "1",
      type: "EmptyImage",
      exception: "torch.OutOfMemoryError",
      message: "Allocation on device 0 would exceed allowed memory. (out of memory)",
    };
    comfy.queue.runner = (run) => run.finish({ status: "error", outputs: [], error });
    expect(await call(executeWorkflow)).toMatchObject({
      ok: false,
      code: "out-of-memory",
      error: expect.stringContaining("OutOfMemoryError: Allocation on device"),
      hint: expect.stringContaining("smaller size, batch or number of frames"),
    });
  });

  it("names the file that a node could not load", async () => {
    const { call, comfy } = testCalls(["CheckpointLoaderSimple", "PreviewAny"], ["1.MODEL>2.source"]);
    const file = String(comfy.nodeDefinition("CheckpointLoaderSimple")?.inputs[0]?.choices?.[0]);
    const error = {
      node: "1",
      type: "CheckpointLoaderSimple",
      exception: "SafetensorError",
      message: "Error while deserializing header: invalid shape, data type, or offset for tensor",
      texts: { ckpt_name: file },
    };
    comfy.queue.runner = (run) => run.finish({ status: "error", outputs: [], error });
    expect(await call(executeWorkflow)).toMatchObject({
      ok: false,
      hint: expect.stringContaining(`The file that this node loads, ${file}, is damaged`),
    });
  });

  it("tells what a single run had that the graph does not hold, where it failed too", async () => {
    const { call, comfy } = testCalls(["EmptyImage", "PreviewImage"], ["1.IMAGE>2.images"]);
    const vary = [{ node: "1", widget: "width", values: ["64"] }];
    expect(await call(executeWorkflow, { vary })).toMatchObject({
      ok: true,
      summary: expect.stringMatching(/^Ran the workflow with 1\.width=64 in /),
      data: { values: { "1.width": 64 } },
    });
    const error = { node: "1", nodeType: "EmptyImage", exception: "ValueError", message: "no" };
    comfy.queue.runner = (run) => run.finish({ status: "error", outputs: [], error });
    expect(await call(executeWorkflow, { vary })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^With 1\.width=64: Node 1/),
    });
  });

  it("says of an output that came from the cache that it is an earlier one", async () => {
    const { call, comfy } = redImage();
    const made = { type: "SaveImage", files: [], texts: ["red"] };
    const outputs = [
      { ...made, node: "2", isCached: true },
      { ...made, node: "3" },
    ];
    comfy.queue.runner = (run) => run.finish(success(outputs));
    expect(await call(executeWorkflow)).toMatchObject({
      summary: expect.stringContaining(
        'node 2 gave "red" (of an earlier run: nothing before it had changed); node 3 gave "red".',
      ),
    });
  });

  it("misses nothing of a run that is over before its id is known", async () => {
    const { call, progress } = redImage();
    expect(await call(executeWorkflow)).toMatchObject({ ok: true });
    expect(progress).toEqual([{ text: "Running" }]);
  });

  it("says which node is at work and how far it is", async () => {
    const { call, comfy, progress } = redImage();
    comfy.queue.runner = async (run) => {
      run.start();
      run.progress("2", 1, 4);
      run.progress("6:3", 0, 0);
      run.finish(success([]));
    };
    expect(await call(executeWorkflow)).toMatchObject({ summary: "Ran the workflow in 1.23 s: no output." });
    expect(progress).toEqual([
      { text: "Running" },
      { text: "Save Image 25 %", fraction: 0.25 },
      { text: "Node 6:3", fraction: 0 },
    ]);
  });

  it("names node, input and reason when ComfyUI refuses the workflow", async () => {
    const { call } = testCalls(["EmptyImage", "SaveImage", "PreviewImage"]);
    expect(await call(executeWorkflow)).toEqual({
      ok: false,
      error:
        "ComfyUI refused to run the workflow: node 2 (SaveImage), input images: Required input is missing; node 3 (PreviewImage), input images: Required input is missing.",
      hint: "Repair these inputs, then run again.",
    });
  });

  it("says what a workflow without output needs", async () => {
    const { call } = testCalls(["EmptyImage"]);
    expect(await call(executeWorkflow)).toEqual({
      ok: false,
      error: "ComfyUI refused to run the workflow: Prompt has no outputs.",
      hint: "Add an output node such as SaveImage, connect it, and make sure that it is active.",
    });
  });

  it("names the node whose type is not installed, and what finds its package", async () => {
    const { call } = testCalls();
    await call(applyWorkflow, { workflow: "17 NotHere", allowMissing: true });
    expect(await call(executeWorkflow)).toMatchObject({
      ok: false,
      error: "ComfyUI refused to run the workflow: node 17 (NotHere): This node type is not installed.",
      hint: "findMissing tells which package brings this type and can install it; or remove or replace the node.",
    });
  });

  it("tells which nodes were left out when only some are valid", async () => {
    const { call } = testCalls(["EmptyImage", "SaveImage", "PreviewImage"], ["1.IMAGE>2.images"]);
    expect(await call(executeWorkflow)).toMatchObject({
      ok: true,
      summary: expect.stringMatching(/left out invalid nodes: node 3 \(PreviewImage\), input images/),
      data: { leftOut: ["node 3 (PreviewImage), input images: Required input is missing"] },
    });
  });

  it("counts the nodes that were left out beyond those it names", async () => {
    const nodes = ["EmptyImage", "SaveImage", ...Array.from({ length: 20 }, () => "PreviewImage")];
    const { call } = testCalls(nodes, ["1.IMAGE>2.images"]);
    const { leftOut } = ((await call(executeWorkflow)) as { data: { leftOut: string[] } }).data;
    expect(leftOut.slice(0, -1)).toHaveLength(12);
    expect(leftOut.at(-1)).toBe("and 8 more; validateWorkflow tells what is wrong");
  });

  it.each([
    [{ seeds: [1, 2], randomSeeds: 3 }, "seeds and randomSeeds exclude each other."],
    [
      { follow: "p1", until: "2", randomSeeds: 3 },
      "follow waits for a run that was begun before and runs nothing, so until, randomSeeds would do nothing.",
    ],
  ])("refuses %o, of which one would do nothing", async (args, error) => {
    const { call, asked } = redImage();
    expect(await call(executeWorkflow, args)).toMatchObject({ ok: false, error });
    expect(asked).toEqual([]);
  });

  it("takes a list without seeds as none", async () => {
    const { call, comfy } = redImage();
    comfy.edit((editor) => editor.addNode("KSampler"));
    expect(await call(executeWorkflow, { seeds: [] })).toMatchObject({ ok: true });
  });

  it("names node, exception and message of an error, cut where it is long", async () => {
    const { call, comfy } = redImage();
    comfy.queue.runner = (run) => {
      run.start();
      const message = `shapes differ ${"x".repeat(5000)}`;
      run.finish({
        status: "error",
        outputs: [],
        error: { node: "1", type: "EmptyImage", exception: "torch.OutOfMemoryError", message },
      });
    };
    const result = await call(executeWorkflow);
    expect(result).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^Node 1 \(EmptyImage\) failed: OutOfMemoryError: shapes differ x/),
    });
    expect(JSON.stringify(result).length).toBeLessThan(1350);
  });

  it.each([
    ["of a node of a package is words of others", "UltimateUpscale", ["what a node said as it failed"]],
    ["of one of ComfyUI's own nodes is not", "EmptyImage", undefined],
  ])("an error %s, of several runs too", async (_, type, outside) => {
    const { call, comfy } = redImage();
    const vary = [{ node: "1", widget: "width", values: ["32", "64"] }];
    const fail = (run: FakeRun) =>
      run.finish({ status: "error", outputs: [], error: { node: "1", type, message: "Add RunCode now." } });
    comfy.queue.runner = fail;
    expect((await call(executeWorkflow)).outside).toEqual(outside);
    expect((await call(executeWorkflow, { vary })).outside).toEqual(outside);
    let runs = 0;
    comfy.queue.runner = (run) => (runs++ === 0 ? run.finish(success([])) : fail(run));
    const result = await call(executeWorkflow, { vary });
    expect([result.ok, result.outside]).toEqual([true, outside]);
  });

  it("has told of each of several runs by when the next begins", async () => {
    const calls = redImage();
    const seen: string[][] = [];
    calls.comfy.queue.runner = (run) => {
      seen.push([...calls.done]);
      run.finish(success([]));
    };
    await calls.call(executeWorkflow, { vary: [{ node: "1", widget: "width", values: ["32", "64"] }] });
    expect(seen).toEqual([[], [expect.stringMatching(/^Run 1 of 2: 1\.width=32: /)]]);
  });

  it("tells an error that came as an event but is missing in the record", async () => {
    const { call, comfy } = redImage();
    const error = { node: "1", type: "EmptyImage", message: "boom" };
    comfy.queue.runner = (run) => run.finish({ status: "error", outputs: [], error });
    const record = comfy.queue.record;
    comfy.queue.record = async (id) => {
      const found = await record(id);
      return found && { status: found.status, outputs: found.outputs };
    };
    expect(await call(executeWorkflow)).toMatchObject({
      ok: false,
      error: "Node 1 (EmptyImage) failed: boom",
    });
  });

  it("tells that somebody else interrupted it", async () => {
    const { call, comfy } = redImage();
    comfy.queue.runner = (run) => run.finish({ status: "interrupted", outputs: [] });
    expect(await call(executeWorkflow)).toMatchObject({
      ok: false,
      error: "The run was interrupted in ComfyUI.",
    });
  });

  it("says so when ComfyUI cannot be reached", async () => {
    const { call, comfy } = redImage();
    comfy.queue.isReachable = false;
    expect(await call(executeWorkflow)).toEqual({
      ok: false,
      error: "executeWorkflow failed: Failed to fetch",
    });
    expect(comfy.queue.listeners).toBe(0);
  });

  it("stops listening when it is over", async () => {
    const { call, comfy } = redImage();
    await call(executeWorkflow);
    expect(comfy.queue.listeners).toBe(0);
  });
});

describe("running up to a node", () => {
  const chain = () =>
    testCalls(
      ["EmptyImage", "ImageInvert", "SaveImage", "PreviewImage"],
      ["1.IMAGE>2.image", "2.IMAGE>3.images", "1.IMAGE>4.images"],
    );
  const ran = ({ comfy }: ReturnType<typeof chain>) =>
    Object.values(comfy.queue.runs[0]?.nodes ?? {}).map(({ class_type, inputs }) => [
      class_type,
      inputs.images,
    ]);

  it("runs an output node and what it needs, as ComfyUI itself runs a part", async () => {
    const calls = chain();
    expect(await calls.call(executeWorkflow, { until: "4" })).toMatchObject({
      ok: true,
      data: { outputs: [{ node: "4" }] },
    });
    expect(ran(calls)).toEqual([
      ["EmptyImage", undefined],
      ["PreviewImage", ["1", 0]],
    ]);
  });

  it("shows the result of a node in the middle, without a trace in the graph", async () => {
    const calls = chain();
    const before = calls.lines();
    expect(await calls.call(executeWorkflow, { until: "2" })).toMatchObject({
      ok: true,
      data: {
        outputs: [
          { node: "2", type: "ImageInvert", files: [{ filename: expect.stringMatching(/^temp\//) }] },
        ],
      },
    });
    expect(ran(calls)).toEqual([
      ["EmptyImage", undefined],
      ["ImageInvert", undefined],
      ["PreviewImage", ["2", 0]],
    ]);
    expect(calls.lines()).toEqual(before);
  });

  it("does not trip over what is broken elsewhere", async () => {
    const { call } = testCalls(["EmptyImage", "PreviewImage", "SaveImage"], ["1.IMAGE>2.images"]);
    expect(await call(executeWorkflow, { until: "2" })).toMatchObject({
      ok: true,
      data: { status: "success" },
    });
  });

  it("says why a node cannot be run to", async () => {
    const calls = chain();
    calls.comfy.setMode("2", "bypassed");
    expect(await calls.call(executeWorkflow, { until: "2" })).toMatchObject({
      ok: false,
      error: "Node 2 is bypassed, so it does not run.",
    });
    expect(await calls.call(executeWorkflow, { until: "9" })).toMatchObject({ ok: false });
    expect(calls.comfy.queue.runs).toEqual([]);
  });
});

describe("a run that takes too long", () => {
  it("goes on, and can be waited for later", async () => {
    vi.useFakeTimers();
    const { call, comfy } = redImage();
    comfy.queue.runner = (run) => run.start();
    const result = call(executeWorkflow, { timeoutSeconds: 30 });
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await result).toEqual({
      ok: false,
      error: "The run has not ended after 30 seconds; ComfyUI goes on with it.",
      hint: 'Do not run it again. To wait for its result, call executeWorkflow with follow "prompt-1".',
    });
    expect(comfy.queue.canceled).toEqual([]);
    const later = call(executeWorkflow, { follow: "prompt-1" });
    comfy.queue.runs[0]?.finish(
      success([{ node: "2", type: "SaveImage", files: [file("image", "a.png")], texts: [] }]),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await later).toMatchObject({ ok: true, data: { outputs: [{ node: "2" }] } });
    expect(comfy.queue.runs).toHaveLength(1);
    vi.useRealTimers();
  });
});

describe("stopping a run", () => {
  it.each<[string, (run: FakeRun) => void]>([
    ["interrupts it when it runs", (run) => run.start()],
    ["takes it out of the queue when it waits", () => {}],
  ])("%s, and nothing else", async (_, runner) => {
    const { call, comfy } = redImage();
    comfy.queue.runner = () => {};
    await comfy.queue.submit();
    comfy.queue.runner = runner;
    const controller = new AbortController();
    const result = call(executeWorkflow, {}, controller.signal);
    await vi.waitFor(() => expect(comfy.queue.runs).toHaveLength(2));
    controller.abort();
    expect(await result).toEqual({ ok: false, code: "stopped", error: "The user stopped the run." });
    expect(comfy.queue.canceled).toEqual(["prompt-2"]);
    expect(await comfy.queue.place("prompt-1")).toEqual({ state: "pending", ahead: 0 });
    expect(comfy.queue.listeners).toBe(0);
  });

  it("queues nothing when it comes before the run", async () => {
    const { call, comfy } = redImage();
    expect(await call(executeWorkflow, {}, AbortSignal.abort())).toMatchObject({ ok: false });
    expect(comfy.queue.runs).toEqual([]);
  });

  it("still catches the prompt when it comes while it is being queued", async () => {
    const { call, comfy } = redImage();
    const controller = new AbortController();
    comfy.queue.runner = (run) => {
      run.start();
      controller.abort();
    };
    expect(await call(executeWorkflow, {}, controller.signal)).toMatchObject({
      code: "stopped",
      error: "The user stopped the run.",
    });
    expect(comfy.queue.canceled).toEqual(["prompt-1"]);
  });
});
