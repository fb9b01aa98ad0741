import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import type { OutputFile, RunRecord } from "../comfy/bridge";
import type { FakeRun } from "../comfy/fakeQueue";
import { executeWorkflow } from "./executeWorkflow";
import { testCalls } from "./testCall";

const redImage = () => testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);

const file = (kind: OutputFile["kind"], filename: string, subfolder = ""): OutputFile => ({
  kind,
  filename,
  subfolder,
  type: "output",
});

const success = (outputs: RunRecord["outputs"], seconds = 1.234): RunRecord => ({
  status: "success",
  seconds,
  outputs,
});

describe("running the workflow", () => {
  it("gives the files of every output node with their addresses", async () => {
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
      summary: "Ran the workflow in 1.23 s: node 2 gave sub/red_00001_.png.",
      data: {
        status: "success",
        seconds: 1.23,
        outputs: [
          {
            node: "2",
            type: "SaveImage",
            files: [
              {
                kind: "image",
                filename: "red_00001_.png",
                subfolder: "sub",
                type: "output",
                url: "/api/view?filename=red_00001_.png&subfolder=sub&type=output",
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
      { text: "Save Image", fraction: 0.25 },
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

  it("tells which nodes were left out when only some are valid", async () => {
    const { call } = testCalls(["EmptyImage", "SaveImage", "PreviewImage"], ["1.IMAGE>2.images"]);
    expect(await call(executeWorkflow)).toMatchObject({
      ok: true,
      summary: expect.stringMatching(/left out invalid nodes: node 3 \(PreviewImage\), input images/),
      data: { leftOut: ["node 3 (PreviewImage), input images: Required input is missing"] },
    });
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
    expect(JSON.stringify(result).length).toBeLessThan(1300);
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
    expect(await result).toEqual({ ok: false, error: "The user stopped the run." });
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
      error: "The user stopped the run.",
    });
    expect(comfy.queue.canceled).toEqual(["prompt-1"]);
  });
});

describe("what the user sees of a run", () => {
  const shown = (files: OutputFile[], url = "/api/view?filename=x") =>
    renderToStaticMarkup(
      executeWorkflow.render?.({
        args: {},
        result: {
          ok: true,
          summary: "",
          data: {
            status: "success",
            outputs: [{ node: "2", type: "SaveImage", files: files.map((each) => ({ ...each, url })) }],
          },
        },
      }),
    );

  it.each([
    ["an image", file("image", "a.png"), /<img class="cass-thumb" src="\/api\/view\?filename=x" alt="a.png"/],
    ["a video", file("video", "a.mp4"), /<video class="cass-thumb" src="\/api\/view/],
    ["a sound", file("audio", "a.flac"), /<audio class="cass-audio" src="\/api\/view/],
    [
      "a link to any other file",
      file("other", "mesh.glb"),
      /<a class="cass-file" href="\/api\/view[^>]*>mesh\.glb/,
    ],
  ])("is %s", (_, each, markup) => {
    expect(shown([each])).toMatch(markup);
  });

  it.each([["https://elsewhere.example/a.png"], ["//elsewhere.example/a.png"], ["javascript:alert(1)"]])(
    "never comes from another address: %s",
    (url) => {
      expect(shown([file("image", "a.png"), file("other", "b.zip")], url)).not.toContain("elsewhere");
      expect(shown([file("other", "b.zip")], url)).not.toContain("href");
    },
  );

  it("is nothing while it runs or after it failed", () => {
    expect(executeWorkflow.render?.({ args: {} })).toBeNull();
    expect(executeWorkflow.render?.({ args: {}, result: { ok: false, error: "no" } })).toBeNull();
  });
});
